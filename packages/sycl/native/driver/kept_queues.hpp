#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "reference.hpp"

namespace array_interface::sycl {

/// In-order queues of one context and device whose work has ended, for the next ones that are made
/// there: Intel's runtime keeps some 10 KB for good of each that ever got a command. Safe from any
/// thread.
class KeptQueues {
 public:
  KeptQueues() = default;
  KeptQueues(const KeptQueues&) = delete;
  KeptQueues& operator=(const KeptQueues&) = delete;
  ~KeptQueues();

  /// A queue that was made with these properties. Null: none is kept.
  QueueReference Take(int properties);
  /// Keeps a queue that nobody else knows, unless there are enough; then `queue` still has it, and
  /// where this throws for want of memory.
  void Put(int properties, QueueReference& queue);

  /// How many this process keeps.
  static std::size_t count() { return count_; }

 private:
  static std::atomic<std::size_t> count_;

  std::mutex mutex_;
  std::map<int, std::vector<QueueReference>> queues_;  ///< by their properties
};

}  // namespace array_interface::sycl
