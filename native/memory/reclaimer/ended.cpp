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
  auto& [points, captured] = rest_;
  is_renewed_ = false;
  for (auto queue = captured.begin(); queue != captured.end();) {
    if (!(*queue)->Runs()) {
      ++queue;
      continue;
    }
    try {
      points.push_back((*queue)->Record());
      is_renewed_ = true;
    } catch (...) {
      // A point may be refused for a while. A device that failed refuses all, and runs nothing.
      if (++refused_ < kRefusals) {
        ++queue;
        continue;
      }
    }
    queue = captured.erase(queue);
  }
  const bool is_reached = DropReached(points);
  comes_ = captured.empty();
  if (!is_reached || !captured.empty()) return false;
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
