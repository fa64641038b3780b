#include "memory/reclaimer/ended.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace array_interface {

Ended::Ended(std::unique_ptr<Block> block) : block_(std::move(block)) {
  {
    const std::lock_guard order(block_->order().mutex());
    rest_ = block_->order().End();
  }
  if (block_->allocation_ != nullptr && block_->allocation_->ReleaseInOrder(rest_)) {
    block_->allocation_ = nullptr;
  }
}

bool Ended::HasEnded() {
  const std::size_t unmarked = rest_.unmarked.size();
  const Progress progress = rest_.Ask();
  is_renewed_ = rest_.unmarked.size() < unmarked;
  comes_ = progress != Progress::kUnknown;
  if (progress != Progress::kReached) return false;
  Tenants* const tenants = block_->tenants();
  comes_ = tenants == nullptr || tenants->HaveLeft();
  return comes_;
}

const void* Ended::place() const {
  return block_->allocation() == nullptr ? nullptr : block_->allocation()->place();
}

std::size_t Ended::size() const {
  return block_->allocation() == nullptr ? 0 : block_->allocation()->size();
}

std::unique_ptr<Allocation> Ended::End() noexcept {
  auto allocation = std::move(block_->allocation_);
  block_ = nullptr;
  return allocation;
}

bool Resting::HasEnded() const {
  const auto block = block_.lock();
  if (block == nullptr) return true;
  // These outlive the lock, since their ends may come back here, or wait.
  std::vector<std::shared_ptr<void>> ended;
  std::shared_ptr<void> kept;
  const std::unique_lock order(block->order().mutex(), std::try_to_lock);
  if (!order.owns_lock()) return false;  // somebody works on it, and may wait for that
  const bool rests = block->Pending().empty();
  ended = block->order().TakeEnded();
  if (!rests) return false;
  kept = block->TakeKeptWhilePending();
  return true;
}

}  // namespace array_interface
