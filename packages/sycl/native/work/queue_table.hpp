#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace array_interface::sycl {

class Queue;

/// All native queues that may still have work, of every environment.
class QueueTable {
 public:
  void Add(const std::shared_ptr<Queue>& queue);
  /// Removes a native queue that is about to end.
  void Remove(void* reference);

  /// Returns the queue behind a native reference, with one more use. Null if it is not this
  /// library's.
  std::shared_ptr<Queue> Find(void* reference) const;
  /// Whether a native reference is this library's, even of a queue that is ending.
  bool Has(void* reference) const;
  /// Ends one use. Returns true if it was the last.
  bool EndUse(Queue& queue) const;

  std::vector<std::shared_ptr<Queue>> All() const;
  std::size_t count() const;
  /// Blocks until everything that was enqueued so far has ended or failed.
  void Wait() const;

 private:
  mutable std::mutex mutex_;
  std::map<void*, std::weak_ptr<Queue>> queues_;
};

}  // namespace array_interface::sycl
