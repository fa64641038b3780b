#include "memory/holder.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace array_interface {

void Holder::Follow(std::shared_ptr<WorkQueue> producer, Sync sync) {
  producer_ = std::move(producer);
  sync_ = producer_ == nullptr ? Sync::kNone : sync;
}

void Holder::End() {
  if (block_ == nullptr) return;
  voucher_.End();
  producer_ = nullptr;
  keep_ = nullptr;
  block_ = nullptr;
}

void Holder::AssertRuns(const WorkQueue& asked) const {
  if (sync_ != Sync::kNone && producer_.get() != &asked) producer_->AssertRuns();
  block_->order().AssertRuns(&asked);
}

std::shared_ptr<void> Holder::KeepProducer() {
  auto kept = kept_.lock();
  if (kept != nullptr || !keep_) return kept;
  kept = keep_();
  kept_ = kept;
  return kept;
}

void Holder::WaitForProducer(WorkQueue& queue) const {
  if (sync_ == Sync::kBlock) producer_->Synchronize();
  if (sync_ == Sync::kWait && !producer_->IsSame(queue)) queue.Wait(*producer_->Record());
}

void Holder::Before(WorkQueue& queue, Access access) const {
  WaitForProducer(queue);
  block_->order().Before(queue, access);
  if (block_->tenants() != nullptr) block_->tenants()->Before(queue);
}

bool Holder::After(const std::shared_ptr<WorkQueue>& queue, const std::shared_ptr<Point>& point,
                   Access access) const {
  block_->order().After(queue, point, access);
  if (auto kept = kept_.lock()) block_->KeepWhilePending(block_, std::move(kept));
  const bool is_told = block_->tenants() == nullptr || block_->tenants()->After(*queue);
  if (sync_ == Sync::kWait && !producer_->IsSame(*queue)) producer_->Wait(*point);
  if (sync_ == Sync::kBlock) queue->Synchronize();
  return is_told;
}

// Another library's queue here is the producer's, of the memory or of its mask. What consumers put
// there comes before our work as the producer's does, and nobody may touch the queue once the loan
// has ended.
void Holder::Export(const std::shared_ptr<WorkQueue>& queue) {
  std::vector<std::shared_ptr<void>> gone;  // ends without the lock
  const std::lock_guard lock(block_->order().mutex());
  block_->order().ReplaceOver(gone);
  queue->AssertRuns();
  AssertRuns(*queue);
  WaitForProducer(*queue);
  if (!queue->IsSame(*queue)) {
    block_->order().Gather(*queue);
  } else {
    block_->order().Export(queue);
  }
  if (block_->tenants() != nullptr) block_->tenants()->Before(*queue);
}

std::shared_ptr<Point> Holder::Settle(const std::shared_ptr<WorkQueue>& queue) {
  const std::lock_guard lock(block_->order().mutex());
  queue->AssertRuns();
  AssertRuns(*queue);
  if (sync_ != Sync::kNone && !producer_->IsSame(*queue)) queue->Wait(*producer_->Record());
  block_->order().Before(*queue, Access::kWrite);
  if (block_->tenants() != nullptr) block_->tenants()->Before(*queue);
  return queue->Record();
}

}  // namespace array_interface
