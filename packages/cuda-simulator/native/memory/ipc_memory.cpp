#include "ipc_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "base/failure.hpp"
#include "base/settings.hpp"
#include "shared_file.hpp"

namespace array_interface::cuda_simulator {
namespace {

std::mutex slots_mutex;

/// Memory of other processes that this one opened. Each context maps it once, however often it is
/// opened.
struct Opened {
  AllocationPtr allocation;
  unsigned times = 0;
};

struct OpenedTable {
  using Key = std::tuple<const Context*, std::uint64_t, std::uint64_t>;  // context, secret, id
  std::mutex mutex;
  std::map<Key, Opened> table;
};

OpenedTable& opened() { return immortal<OpenedTable>(); }

}  // namespace

bool can_be_shared(const Allocation& allocation) {
  return allocation.kind == Allocation::Kind::device &&
         allocation.source == Allocation::Source::call && allocation.region.file >= 0;
}

IpcHandle share(Allocation& allocation) {
  std::lock_guard lock(slots_mutex);
  IpcPage& page = own_page();
  if (allocation.slot == SIZE_MAX) {
    std::size_t index = 0;
    while (index < IpcPage::memory_slots && page.memory[index].id != 0) ++index;
    require(index < IpcPage::memory_slots, CUDA_ERROR_OUT_OF_MEMORY);
    MemorySlot& slot = page.memory[index];
    slot.offset = allocation.region.offset;
    slot.size = allocation.size;
    slot.file = allocation.region.file;
    slot.device = allocation.device;
    slot.id = allocation.id;
    allocation.slot = index;
  }
  return make_handle(IpcHandle::What::memory, allocation.slot, allocation.id);
}

void end_sharing(const Allocation& allocation) {
  std::lock_guard lock(slots_mutex);
  if (allocation.slot != SIZE_MAX) own_page().memory[allocation.slot].id = 0;
}

void forget_opened(const Context& context) {
  std::lock_guard lock(opened().mutex);
  auto& table = opened().table;
  for (auto entry = table.begin(); entry != table.end();) {
    entry = std::get<0>(entry->first) == &context ? table.erase(entry) : std::next(entry);
  }
}

AllocationPtr map_shared(const IpcHandle& handle) {
  IpcPage& page = page_of(handle, IpcHandle::What::memory);
  require(handle.slot < IpcPage::memory_slots);
  const MemorySlot& slot = page.memory[handle.slot];
  auto allocation = std::make_shared<Allocation>(
      Allocation::Kind::device, Allocation::Source::import, slot.size, slot.device);
  const int file = open_shared_file(handle.owner.number, slot.file, memory_file);
  require(file >= 0);
  const std::size_t offset = slot.offset;
  const bool live = handle.id != 0 && slot.id == handle.id;  // checked after the rest was read
  const bool here =
      live && device_addresses().take_view(allocation->size, file, offset, allocation->region);
  close(file);
  require(live);
  require(slot.device >= 0 && slot.device < settings().devices, CUDA_ERROR_INVALID_DEVICE);
  require(here, CUDA_ERROR_OUT_OF_MEMORY);
  return allocation;
}

AllocationPtr open_shared(Context& context, const IpcHandle& handle) {
  std::lock_guard lock(opened().mutex);
  const AllocationPtr mapped = map_shared(handle);
  Opened& entry = opened().table[{&context, handle.secret, handle.id}];
  if (entry.allocation == nullptr) {
    mapped->context = &context;
    allocations().put(mapped);
    entry.allocation = mapped;
  }
  ++entry.times;
  return entry.allocation;
}

bool close_shared(const AllocationPtr& allocation) {
  std::lock_guard lock(opened().mutex);
  auto& table = opened().table;
  const auto entry = std::find_if(table.begin(), table.end(), [&](const auto& candidate) {
    return candidate.second.allocation == allocation;
  });
  require(entry != table.end());
  if (--entry->second.times != 0) return false;
  table.erase(entry);
  return true;
}

}  // namespace array_interface::cuda_simulator
