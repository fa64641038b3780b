#include "memory/block.hpp"

#include <mutex>
#include <utility>

#include "memory/reclaimer.hpp"

namespace array_interface {

void KeepForGood(std::shared_ptr<void> kept) {
  static auto& mutex = *new std::mutex();
  static auto& all = *new std::vector<std::shared_ptr<void>>();
  const std::lock_guard lock(mutex);
  all.push_back(std::move(kept));
}

std::shared_ptr<Block> Block::Of(Reclaimer& reclaimer, std::unique_ptr<Allocation> allocation) {
  return Share(std::unique_ptr<Block>(new Block(reclaimer, std::move(allocation))));
}

std::shared_ptr<Block> Block::Borrowed(Reclaimer& reclaimer) {
  return Share(std::unique_ptr<Block>(new Block(reclaimer, nullptr)));
}

std::shared_ptr<Block> Block::Share(std::unique_ptr<Block> block) {
  const auto last_let_go = [](Block* ended) {
    ended->reclaimer_.Take(std::unique_ptr<Block>(ended));
  };
  return {block.release(), last_let_go};
}

void Block::KeepWhilePending(const std::shared_ptr<Block>& self, std::shared_ptr<void> kept) {
  if (kept_while_pending_ != nullptr) return;
  kept_while_pending_ = std::move(kept);
  reclaimer_.Watch(self);
}

// Another library's memory ends with its loans. A block of ours goes on, so that the object stands
// in a block without memory, which the reclaimer gets with a copy of the order.
std::shared_ptr<void> Block::Hold(std::shared_ptr<Block> block, std::shared_ptr<void> kept) {
  if (block->allocation() == nullptr) {
    block->Keep(kept);
    return kept;
  }
  void* const object = kept.get();
  std::unique_ptr<Block> rest(new Block(block->reclaimer_, nullptr));
  rest->Keep(std::move(kept));
  const auto last_let_go = [block = std::move(block), last = rest.release()](void*) {
    block->PassOn(last);
  };
  return {object, last_let_go};
}

// Without memory for the points, the rest leaks, as a block does.
void Block::PassOn(Block* rest) noexcept try {
  {
    const std::lock_guard lock(order_.mutex());
    rest->order_.Copy(order_);
  }
  reclaimer_.Take(std::unique_ptr<Block>(rest));
} catch (...) {
}

Points Block::Pending() const {
  Points points = order_.Pending();
  if (tenants_ != nullptr) {
    for (auto& point : tenants_->Pending()) points.push_back(std::move(point));
  }
  return points;
}

}  // namespace array_interface
