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

/// Free memory that is kept for the next allocation of its device, kind and size. Of each place and
/// kind it keeps as many bytes as the memory itself allows; the oldest makes room. From any thread.
class Cache {
 public:
  /// Keeps it. Gives what may not be kept, or not any longer.
  Allocations Put(std::unique_ptr<Allocation> allocation);
  /// What was kept last. Null: there is none.
  std::unique_ptr<Allocation> Take(const void* device, int kind, std::size_t size);
  /// Gives all memory of a device, or of all devices for null.
  Allocations Empty(const void* device);

  std::size_t count() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<const void*, int>, FreeList> free_lists_;
  std::size_t count_ = 0;
};

}  // namespace array_interface
