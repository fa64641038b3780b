#include "graph_memory.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/immortal.hpp"

namespace array_interface::cuda_simulator {
namespace {

struct Uses {
  std::mutex mutex;
  std::map<CUdevice, GraphMemoryUse> by_device;
};

Uses& uses() { return immortal<Uses>(); }

}  // namespace

GraphMemory::GraphMemory(AllocationPtr its_memory) : memory(std::move(its_memory)) {
  const std::lock_guard lock(uses().mutex);
  GraphMemoryUse& use = uses().by_device[memory->device];
  use.now += memory->size;
  use.used_high = std::max(use.used_high, use.now);
  use.reserved_high = std::max(use.reserved_high, use.now);
}

GraphMemory::~GraphMemory() {
  {
    const std::lock_guard lock(uses().mutex);
    uses().by_device[memory->device].now -= memory->size;
  }
  allocations().remove(memory->start(), {memory->kind});
}

GraphMemoryUse graph_memory_use(CUdevice device) {
  const std::lock_guard lock(uses().mutex);
  return uses().by_device[device];
}

void reset_graph_memory(CUdevice device, std::size_t GraphMemoryUse::*mark) {
  const std::lock_guard lock(uses().mutex);
  GraphMemoryUse& use = uses().by_device[device];
  use.*mark = use.now;
}

}  // namespace array_interface::cuda_simulator
