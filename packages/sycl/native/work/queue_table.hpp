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
  /// Forgets a native queue that is about to end.
  void Remove(void* reference);

  /// The queue behind a native reference, with one more user. Null: it is none of ours.
  std::shared_ptr<Queue> Find(void* reference) const;
  /// Whether a native reference is one of ours, also of a queue that is ending.
  bool Has(void* reference) const;
  /// Ends one use. True: it was the last.
  bool EndUse(Queue& queue) const;

  std::vector<std::shared_ptr<Queue>> All() const;
  std::size_t count() const;
  /// Blocks until everything enqueued so far has ended or failed.
  void Wait() const;

 private:
  mutable std::mutex mutex_;
  std::map<void*, std::weak_ptr<Queue>> queues_;
};

}  // namespace array_interface::sycl
