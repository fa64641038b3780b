#include "work/tail.hpp"

#include <algorithm>
#include <utility>

#include "driver/driver_error.hpp"

namespace array_interface::cuda {

namespace {

constexpr std::size_t kForgetAt = 64;

/// Whether no more points can come, and all work so far has ended well.
bool IsOver(const std::shared_ptr<Tail>& tail) {
  if (tail.use_count() > 1) return false;
  const auto last = tail->last();
  return last == nullptr || (last->IsReached() && !last->HasFailed());
}

/// The last point of a stream. It is forgotten once somebody was told that it failed.
class ToldPoint final : public CudaPoint {
 public:
  ToldPoint(std::shared_ptr<Tail> tail, std::shared_ptr<Event> last)
      : tail_(std::move(tail)), last_(std::move(last)) {}

  Progress Ask() noexcept override { return last_->Ask(); }
  bool Query() override {
    try {
      return last_->Query();
    } catch (const DriverError&) {
      if (last_->HasFailed()) tail_->Forget(last_);
      throw;
    }
  }
  Dependencies HoldUp(const Context& context, StreamHandle stream) const override {
    return last_->HoldUp(context, stream);
  }

 private:
  std::shared_ptr<Tail> tail_;
  std::shared_ptr<Event> last_;
};

}  // namespace

void Tails::Add(std::shared_ptr<Tail> tail) {
  if (std::find(tails_.begin(), tails_.end(), tail) != tails_.end()) return;
  if (tails_.size() >= forget_at_) Forget();
  tails_.push_back(std::move(tail));
}

std::vector<std::shared_ptr<CudaPoint>> Tails::Last() {
  Forget();
  std::vector<std::shared_ptr<CudaPoint>> points;
  for (const auto& tail : tails_) {
    if (auto last = tail->last()) {
      points.push_back(std::make_shared<ToldPoint>(tail, std::move(last)));
    }
  }
  return points;
}

void Tails::Forget() {
  tails_.erase(std::remove_if(tails_.begin(), tails_.end(), IsOver), tails_.end());
  forget_at_ = std::max(kForgetAt, 2 * tails_.size());
}

}  // namespace array_interface::cuda
