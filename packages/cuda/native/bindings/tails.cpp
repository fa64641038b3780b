#include "bindings/tails.hpp"

#include <algorithm>
#include <utility>

namespace array_interface::cuda {

namespace {

constexpr std::size_t kForgetAt = 64;

/// Whether nothing more can come, and all that came has ended well.
bool IsOver(const std::shared_ptr<Tail>& tail) {
  if (tail.use_count() > 1) return false;
  const auto last = tail->last();
  return last == nullptr || (last->IsReached() && !last->HasFailed());
}

}  // namespace

void Tails::Add(std::shared_ptr<Tail> tail) {
  if (std::find(tails_.begin(), tails_.end(), tail) != tails_.end()) return;
  if (tails_.size() >= forget_at_) Forget();
  tails_.push_back(std::move(tail));
}

std::vector<std::shared_ptr<Event>> Tails::Last() {
  Forget();
  std::vector<std::shared_ptr<Event>> points;
  for (const auto& tail : tails_) {
    if (auto last = tail->last()) points.push_back(std::move(last));
  }
  return points;
}

void Tails::Forget() {
  tails_.erase(std::remove_if(tails_.begin(), tails_.end(), IsOver), tails_.end());
  forget_at_ = std::max(kForgetAt, 2 * tails_.size());
}

}  // namespace array_interface::cuda
