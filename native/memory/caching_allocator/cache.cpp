#include "memory/caching_allocator/cache.hpp"

namespace array_interface {

// The limit is read under the mutex: a device that is removed first reports a limit of 0, and then
// has the cache emptied.
Allocations Cache::Put(std::unique_ptr<Allocation> allocation) {
  Allocations gone;
  const std::lock_guard lock(mutex_);
  const std::size_t limit = allocation->kept_at_most();
  if (allocation->footprint() > limit) {
    gone.push_back(std::move(allocation));
    return gone;
  }
  FreeList& free_list = free_lists_[{allocation->device(), allocation->kind()}];
  free_list.Put(std::move(allocation));
  ++count_;
  for (; free_list.bytes() > limit; --count_) gone.push_back(free_list.TakeOldest());
  return gone;
}

std::unique_ptr<Allocation> Cache::Take(const void* device, int kind, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const auto free_list = free_lists_.find({device, kind});
  if (free_list == free_lists_.end()) return nullptr;
  auto found = free_list->second.Take(kind, size);
  if (found != nullptr) --count_;
  return found;
}

Allocations Cache::Empty(const void* device) {
  Allocations gone;
  const std::lock_guard lock(mutex_);
  for (auto free_list = free_lists_.begin(); free_list != free_lists_.end();) {
    if (device != nullptr && free_list->first.first != device) {
      ++free_list;
      continue;
    }
    for (; !free_list->second.is_empty(); --count_) gone.push_back(free_list->second.TakeOldest());
    free_list = free_lists_.erase(free_list);
  }
  return gone;
}

std::size_t Cache::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

}  // namespace array_interface
