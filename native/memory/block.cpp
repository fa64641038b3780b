#include "memory/block.hpp"

#include <utility>

#include "memory/reclaimer.hpp"

namespace array_interface {

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

void Block::KeepWhilePending(const std::shared_ptr<Block>& self,
                             const std::function<std::shared_ptr<void>()>& make) {
  if (kept_while_pending_ != nullptr) return;
  kept_while_pending_ = make();
  if (kept_while_pending_ != nullptr) reclaimer_.Watch(self);
}

Points Block::Pending() {
  Points points = order_.Pending();
  if (tenants_ != nullptr) {
    for (auto& point : tenants_->Pending()) points.push_back(std::move(point));
  }
  return points;
}

}  // namespace array_interface
