#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "memory/caching_allocator/free_list.hpp"

namespace array_interface {

using Allocations = std::vector<std::unique_ptr<Allocation>>;

/// Free memory that is cached for the next allocation of its device, kind and size. For each device
/// and kind it keeps as many bytes as the allocation allows, and evicts the oldest first. Safe to
/// use from any thread.
class Cache {
 public:
  /// Caches an allocation. Returns what must not be cached, or is evicted.
  Allocations Put(std::unique_ptr<Allocation> allocation);
  /// Returns the allocation that was cached last. Null if there is none.
  std::unique_ptr<Allocation> Take(const void* device, int kind, std::size_t size);
  /// Removes and returns all memory of a device, or of all devices if null.
  Allocations Empty(const void* device);

  std::size_t count() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<const void*, int>, FreeList> free_lists_;
  std::size_t count_ = 0;
};

}  // namespace array_interface
