#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "reference.hpp"

namespace array_interface::sycl {

/// A cache of idle in-order queues of one context and device, for reuse. Intel's runtime never
/// frees some 10 KB of each queue that ever got a command. Safe to use from any thread.
class CachedQueues {
 public:
  ~CachedQueues();

  /// Returns a queue that was created with these properties. Null if none is cached.
  QueueReference Take(int properties);
  /// Caches a queue that no other code knows. `queue` keeps it if the cache is full, or if this
  /// throws for lack of memory.
  void Put(int properties, QueueReference& queue);

  /// The number of cached queues of this process.
  static std::size_t count() { return count_; }

 private:
  static std::atomic<std::size_t> count_;

  std::mutex mutex_;
  std::map<int, std::vector<QueueReference>> queues_;  ///< by their properties
};

}  // namespace array_interface::sycl
