#include "memory/reclaimer/cache.hpp"

namespace array_interface {

// The limit is read under the mutex: a place that ends says 0 first, and then has the cache
// emptied.
Allocations Cache::Put(std::unique_ptr<Allocation> allocation) {
  Allocations gone;
  const std::lock_guard lock(mutex_);
  const std::size_t limit = allocation->kept_at_most();
  if (allocation->footprint() > limit) {
    gone.push_back(std::move(allocation));
    return gone;
  }
  Shelf& shelf = shelves_[{allocation->place(), allocation->kind()}];
  shelf.Put(std::move(allocation));
  ++count_;
  for (; shelf.bytes() > limit; --count_) gone.push_back(shelf.TakeOldest());
  return gone;
}

std::unique_ptr<Allocation> Cache::Take(const void* place, int kind, std::size_t size) {
  const std::lock_guard lock(mutex_);
  const auto shelf = shelves_.find({place, kind});
  if (shelf == shelves_.end()) return nullptr;
  auto found = shelf->second.Take(kind, size);
  if (found != nullptr) --count_;
  return found;
}

Allocations Cache::Empty(const void* place) {
  Allocations gone;
  const std::lock_guard lock(mutex_);
  for (auto shelf = shelves_.begin(); shelf != shelves_.end();) {
    if (place != nullptr && shelf->first.first != place) {
      ++shelf;
      continue;
    }
    for (; !shelf->second.is_empty(); --count_) gone.push_back(shelf->second.TakeOldest());
    shelf = shelves_.erase(shelf);
  }
  return gone;
}

std::size_t Cache::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

}  // namespace array_interface
