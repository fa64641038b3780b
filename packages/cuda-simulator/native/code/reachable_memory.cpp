#include "reachable_memory.hpp"

#include <algorithm>
#include <mutex>

#include "state/context.hpp"

namespace array_interface::cuda_simulator {
namespace {

bool holds(const Allocation& allocation, std::uint64_t address, std::size_t size) {
  const std::uint64_t offset = address - allocation.start();
  return offset < allocation.size && size <= allocation.size - offset;
}

}  // namespace

std::set<const Context*> reachable_from(Context& context) {
  std::lock_guard lock(context.mutex);
  std::set<const Context*> reachable = context.peers;
  reachable.insert(&context);
  return reachable;
}

std::byte* ReachableMemory::find(std::uint64_t address, std::size_t size) {
  for (AllocationPtr& allocation : held_) {
    if (!holds(*allocation, address, size)) continue;
    if (&allocation != &held_.front()) std::swap(allocation, held_.front());
    return held_.front()->at(address);
  }
  Mapped mapped;
  if (!map_for_device(address, size, mapped)) return nullptr;
  const Allocation& found = *mapped.allocation;
  const bool own = found.kind != Allocation::Kind::device || found.context == nullptr ||
                   contexts_.count(found.context) != 0;
  if (!own) return nullptr;
  held_.insert(held_.begin(), mapped.allocation);
  return mapped.bytes;
}

}  // namespace array_interface::cuda_simulator
