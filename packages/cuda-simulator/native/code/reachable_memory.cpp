#include "reachable_memory.hpp"

#include <algorithm>
#include <mutex>

#include "base/failure.hpp"
#include "memory/device_heap.hpp"
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

std::shared_ptr<DeviceHeap> heap_of(Context& context) {
  constexpr int heap_limit = 2;
  std::lock_guard lock(context.limits_mutex);
  if (context.heap == nullptr) {
    context.heap =
        std::make_shared<DeviceHeap>(context, context.device, context.limits[heap_limit]);
  }
  return context.heap;
}

std::uint64_t ReachableMemory::allocate(std::size_t size) {
  try {
    if (heap_ == nullptr) heap_ = heap_of(context_);
    return heap_->allocate(size);
  } catch (const Failure&) {
    return 0;
  }
}

/// Returns the heap of the context, which other kernels may have made, if the address is in it.
DeviceHeap* ReachableMemory::heap_at(std::uint64_t address) {
  if (heap_ == nullptr) {
    std::lock_guard lock(context_.limits_mutex);
    heap_ = context_.heap;
  }
  return heap_ != nullptr && heap_->contains(address) ? heap_.get() : nullptr;
}

bool ReachableMemory::release(std::uint64_t address) {
  DeviceHeap* const heap = heap_at(address);
  return heap != nullptr && heap->release(address);
}

std::string ReachableMemory::describe(std::uint64_t address, std::size_t size) {
  DeviceHeap* const heap = heap_at(address);
  return heap != nullptr ? heap->describe(address, size) : allocations().describe(address, size);
}

std::byte* ReachableMemory::find(std::uint64_t address, std::size_t size) {
  for (AllocationPtr& allocation : held_) {
    if (!holds(*allocation, address, size)) continue;
    if (&allocation != &held_.front()) std::swap(allocation, held_.front());
    return held_.front()->at(address);
  }
  if (DeviceHeap* const heap = heap_at(address)) return heap->find(address, size);
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
