#include "memory/caching_allocator/pending_free.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace array_interface {

PendingFree::PendingFree(std::unique_ptr<Block> block) : block_(std::move(block)) {
  {
    const std::lock_guard lock(block_->tracker().mutex());
    pending_ = block_->tracker().End();
  }
  if (block_->allocation_ != nullptr && block_->allocation_->ReleaseInOrder(pending_)) {
    block_->allocation_ = nullptr;
  }
}

bool PendingFree::HasEnded() {
  const std::size_t unmarked = pending_.unmarked.size();
  const Progress progress = pending_.Poll();
  is_renewed_ = pending_.unmarked.size() < unmarked;
  comes_ = progress != Progress::kUnknown;
  if (progress != Progress::kComplete) return false;
  IpcPeers* const peers = block_->peers();
  comes_ = peers == nullptr || peers->HaveLeft();
  return comes_;
}

const void* PendingFree::device() const {
  return block_->allocation() == nullptr ? nullptr : block_->allocation()->device();
}

std::size_t PendingFree::size() const {
  return block_->allocation() == nullptr ? 0 : block_->allocation()->size();
}

std::unique_ptr<Allocation> PendingFree::End() noexcept {
  auto allocation = std::move(block_->allocation_);
  block_ = nullptr;
  return allocation;
}

bool PendingRelease::HasEnded() const {
  const auto block = block_.lock();
  if (block == nullptr) return true;
  // These outlive the lock, since their destructors may call back here, or block.
  std::vector<std::shared_ptr<void>> ended;
  std::shared_ptr<void> kept;
  const std::unique_lock order(block->tracker().mutex(), std::try_to_lock);
  if (!order.owns_lock()) return false;  // another thread enqueues work, and may block
  const bool rests = block->Pending().empty();
  ended = block->tracker().TakeEnded();
  if (!rests) return false;
  kept = block->TakeKeptWhilePending();
  return true;
}

}  // namespace array_interface
