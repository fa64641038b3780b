#include "queue_table.hpp"

#include "queue.hpp"

namespace array_interface::sycl {

void QueueTable::Add(const Entry& reference, const std::shared_ptr<Queue>& queue) {
  std::lock_guard lock(mutex_);
  queues_[reference->get()] = {reference, queue};
}

void QueueTable::End(const Dpctl& dpctl, const Entry& reference) {
  Wait(dpctl, *reference);
  std::lock_guard lock(mutex_);
  queues_.erase(reference->get());
}

std::shared_ptr<Queue> QueueTable::Find(void* reference) const {
  std::shared_ptr<Queue> queue;  // outlives the lock: its end may be here
  std::lock_guard lock(mutex_);
  const auto found = queues_.find(reference);
  if (found == queues_.end()) return nullptr;
  queue = found->second.queue.lock();
  if (queue == nullptr || queue->users_ == 0) return nullptr;
  ++queue->users_;
  return queue;
}

bool QueueTable::Has(void* reference) const {
  std::lock_guard lock(mutex_);
  return queues_.count(reference) > 0;
}

bool QueueTable::EndUse(Queue& queue) const {
  std::lock_guard lock(mutex_);
  if (queue.users_ == 0) return false;
  --queue.users_;
  return queue.users_ == 0;
}

std::vector<QueueTable::Entry> QueueTable::All() const {
  std::lock_guard lock(mutex_);
  std::vector<Entry> all;
  all.reserve(queues_.size());
  for (const auto& [raw, listed] : queues_) all.push_back(listed.reference);
  return all;
}

std::size_t QueueTable::count() const {
  std::lock_guard lock(mutex_);
  return queues_.size();
}

void QueueTable::Wait(const Dpctl& dpctl) const {
  for (const auto& queue : All()) Wait(dpctl, *queue);
}

void QueueTable::Wait(const Dpctl& dpctl, const QueueReference& queue) {
  try {
    dpctl.Queue_Wait(queue.get());
  } catch (...) {
    // its work ended by failing: whoever asks for an event of it is told
  }
}

}  // namespace array_interface::sycl
