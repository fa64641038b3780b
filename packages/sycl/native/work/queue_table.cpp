#include "queue_table.hpp"

#include "queue.hpp"

namespace array_interface::sycl {

void QueueTable::Add(const std::shared_ptr<Queue>& queue) {
  const std::lock_guard lock(mutex_);
  queues_[queue->get()] = queue;
}

void QueueTable::Remove(void* reference) {
  const std::lock_guard lock(mutex_);
  queues_.erase(reference);
}

std::shared_ptr<Queue> QueueTable::Find(void* reference) const {
  std::shared_ptr<Queue> queue;  // outlives the lock, since it may end here
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(reference);
  if (found == queues_.end()) return nullptr;
  queue = found->second.lock();
  if (queue == nullptr || queue->users_ == 0) return nullptr;
  ++queue->users_;
  return queue;
}

bool QueueTable::Has(void* reference) const {
  const std::lock_guard lock(mutex_);
  return queues_.count(reference) > 0;
}

bool QueueTable::EndUse(Queue& queue) const {
  const std::lock_guard lock(mutex_);
  --queue.users_;
  return queue.users_ == 0;
}

std::vector<std::shared_ptr<Queue>> QueueTable::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Queue>> all;
  all.reserve(queues_.size());
  for (const auto& [raw, weak] : queues_) {
    if (auto queue = weak.lock()) all.push_back(std::move(queue));
  }
  return all;
}

std::size_t QueueTable::count() const {
  const std::lock_guard lock(mutex_);
  return queues_.size();
}

void QueueTable::Wait() const {
  for (const auto& queue : All()) {
    try {
      queue->context_device()->dpctl.Queue_Wait(queue->get());
    } catch (...) {
      // Its work failed. Callers that wait for one of its events get the error.
    }
  }
}

}  // namespace array_interface::sycl
