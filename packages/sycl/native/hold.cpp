#include "hold.hpp"

#include <utility>

#include "background.hpp"
#include "runtime.hpp"

namespace array_interface::sycl {

Hold::Hold(Runtime& runtime, std::shared_ptr<Block> block, bool owns)
    : runtime_(runtime), block_(std::move(block)), owns_(owns) {}

Hold::~Hold() {
  if (block_ == nullptr) return;
  Background::Instance().Post([&runtime = runtime_, block = Take()]() mutable {
    runtime.queues().Wait(runtime.dpctl());
    block.reset();
  });
}

std::shared_ptr<Block> Hold::share() const {
  if (block_ != nullptr) return block_;
  throw SyclError("ERR_DISPOSED", "memory", "expected memory that is held, got it given back");
}

void Hold::End(std::vector<std::shared_ptr<Event>> pending) {
  if (block_ == nullptr) return;
  Background::Instance().Post([block = Take(), pending = std::move(pending)]() mutable {
    for (const auto& event : pending) event->WaitQuietly();
    block.reset();
  });
}

std::shared_ptr<Block> Hold::Take() {
  if (owns_) block_->GiveUp();
  return std::exchange(block_, nullptr);
}

}  // namespace array_interface::sycl
