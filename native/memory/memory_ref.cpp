#include "memory/memory_ref.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace array_interface {

void MemoryRef::Follow(std::shared_ptr<WorkQueue> producer, Sync sync) {
  producer_ = std::move(producer);
  sync_ = producer_ == nullptr ? Sync::kNone : sync;
}

void MemoryRef::End() {
  if (block_ == nullptr) return;
  pin_.End();
  producer_ = nullptr;
  keep_ = nullptr;
  block_ = nullptr;
}

void MemoryRef::AssertRuns(const WorkQueue& asked) const {
  if (sync_ != Sync::kNone && producer_.get() != &asked) producer_->AssertRuns();
  block_->tracker().AssertRuns(&asked);
}

std::shared_ptr<void> MemoryRef::KeepProducer() {
  auto kept = kept_.lock();
  if (kept != nullptr || !keep_) return kept;
  kept = keep_();
  kept_ = kept;
  return kept;
}

void MemoryRef::WaitForProducer(WorkQueue& queue) const {
  if (sync_ == Sync::kBlock) producer_->Synchronize();
  if (sync_ == Sync::kWait && !producer_->IsSame(queue)) queue.Wait(*producer_->Record());
}

void MemoryRef::Before(WorkQueue& queue, Access access) const {
  WaitForProducer(queue);
  block_->tracker().Before(queue, access);
  if (block_->peers() != nullptr) block_->peers()->Before(queue);
}

bool MemoryRef::After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Event>& event,
                      Access access) const {
  block_->tracker().After(queue, event, access);
  if (auto kept = kept_.lock()) block_->KeepWhilePending(block_, std::move(kept));
  const bool is_notified = block_->peers() == nullptr || block_->peers()->After(*queue);
  if (sync_ == Sync::kWait && !producer_->IsSame(*queue)) producer_->Wait(*event);
  if (sync_ == Sync::kBlock) queue->Synchronize();
  return is_notified;
}

// A foreign queue here is always the queue of a producer, of the memory or of its mask. What
// consumers enqueue there precedes this library's work, as the producer's own work does. The queue
// must not be used once the loan has ended, so the tracker does not keep it.
void MemoryRef::Export(const std::shared_ptr<WorkQueue>& queue) {
  std::vector<std::shared_ptr<void>> gone;  // destroyed after the lock is released
  const std::lock_guard lock(block_->tracker().mutex());
  block_->tracker().ReplaceOver(gone);
  queue->AssertRuns();
  AssertRuns(*queue);
  WaitForProducer(*queue);
  if (!queue->IsSame(*queue)) {
    block_->tracker().Gather(*queue);
  } else {
    block_->tracker().Export(queue);
  }
  if (block_->peers() != nullptr) block_->peers()->Before(*queue);
}

bool MemoryRef::IsAtRest() const {
  const std::lock_guard lock(block_->tracker().mutex());
  const bool is_sole = owns_ && block_->allocation() != nullptr && block_->has_one_pin();
  return is_sole && block_->peers() == nullptr && block_->tracker().IsAtRest();
}

std::shared_ptr<Event> MemoryRef::Settle(const std::shared_ptr<WorkQueue>& queue) {
  const std::lock_guard lock(block_->tracker().mutex());
  queue->AssertRuns();
  AssertRuns(*queue);
  if (sync_ != Sync::kNone && !producer_->IsSame(*queue)) queue->Wait(*producer_->Record());
  block_->tracker().Before(*queue, Access::kWrite);
  if (block_->peers() != nullptr) block_->peers()->Before(*queue);
  return queue->Record();
}

}  // namespace array_interface
