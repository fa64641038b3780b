#include "memory/block.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "memory/caching_allocator.hpp"

namespace array_interface {

void KeepForGood(std::shared_ptr<void> kept) {
  static auto& mutex = *new std::mutex();
  static auto& all = *new std::vector<std::shared_ptr<void>>();
  const std::lock_guard lock(mutex);
  all.push_back(std::move(kept));
}

std::shared_ptr<Block> Block::Of(CachingAllocator& allocator,
                                 std::unique_ptr<Allocation> allocation,
                                 std::shared_ptr<void> kept) {
  return Share(new Block(allocator, std::move(allocation), std::move(kept)));
}

std::shared_ptr<Block> Block::Borrowed(CachingAllocator& allocator, std::shared_ptr<void> kept) {
  return Share(new Block(allocator, nullptr, std::move(kept)));
}

std::shared_ptr<Block> Block::Share(Block* block) {
  const auto last_let_go = [](Block* ended) {
    ended->allocator_.Take(std::unique_ptr<Block>(ended));
  };
  return {block, last_let_go};
}

// The block may stay in use elsewhere. So the object is kept by a second block without memory,
// which the caching allocator gets together with a copy of the dependencies.
std::shared_ptr<Block> Block::With(std::shared_ptr<Block> block, std::shared_ptr<void> object) {
  Block* const shared = block.get();
  Block* const rest = new Block(block->allocator_, nullptr, std::move(object));
  const auto last_let_go = [block = std::move(block), rest](Block* of_all) {
    of_all->PassOn(rest);
  };
  return {shared, last_let_go};
}

void Block::KeepWhilePending(const std::shared_ptr<Block>& self, std::shared_ptr<void> kept) {
  if (kept_while_pending_ != nullptr) return;
  kept_while_pending_ = std::move(kept);
  allocator_.Watch(self);
}

// If memory for the events cannot be allocated, `rest` leaks, as any block does.
void Block::PassOn(Block* rest) noexcept try {
  {
    const std::lock_guard lock(tracker_.mutex());
    rest->tracker_.Copy(tracker_);
  }
  allocator_.Take(std::unique_ptr<Block>(rest));
} catch (...) {
}

Events Block::Pending() const {
  Events events = tracker_.Pending();
  if (peers_ != nullptr) {
    for (auto& event : peers_->Pending()) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace array_interface
