#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "reference.hpp"

namespace array_interface::sycl {

class Queue;

/// All native queues that may still have work, of every environment.
class QueueTable {
 public:
  using Entry = std::shared_ptr<QueueReference>;

  void Add(const Entry& reference, const std::shared_ptr<Queue>& queue);
  /// Blocks until the work of a queue has ended or failed, and forgets the queue.
  void End(const Dpctl& dpctl, const Entry& reference);

  /// The queue behind a native reference, with one more user; null if it is none of ours.
  std::shared_ptr<Queue> Find(void* reference) const;
  /// Whether a native reference is one of ours, be it of a queue that ends.
  bool Has(void* reference) const;
  /// Ends one use; true when it was the last.
  bool EndUse(Queue& queue) const;

  std::vector<Entry> All() const;
  std::size_t count() const;
  /// Blocks until everything enqueued so far has ended or failed.
  void Wait(const Dpctl& dpctl) const;
  /// The same for one queue.
  static void Wait(const Dpctl& dpctl, const QueueReference& queue);

 private:
  struct Listed {
    Entry reference;
    std::weak_ptr<Queue> queue;
  };
  mutable std::mutex mutex_;
  std::map<void*, Listed> queues_;
};

}  // namespace array_interface::sycl
