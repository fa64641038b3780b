#include "work/last_event.hpp"

#include <algorithm>
#include <utility>

#include "driver/driver_error.hpp"

namespace array_interface::cuda {

namespace {

constexpr std::size_t kForgetAt = 64;

/// Whether no more events can follow, and all work so far has ended without error.
bool IsOver(const std::shared_ptr<LastEvent>& last_event) {
  if (last_event.use_count() > 1) return false;
  const auto last = last_event->last();
  return last == nullptr || (last->IsComplete() && !last->HasFailed());
}

/// The last event of a stream. It is forgotten once its failure was reported.
class ToldEvent final : public WaitableEvent {
 public:
  ToldEvent(std::shared_ptr<LastEvent> last_event, std::shared_ptr<CudaEvent> last)
      : last_event_(std::move(last_event)), last_(std::move(last)) {}

  Progress Poll() noexcept override { return last_->Poll(); }
  bool Query() override {
    try {
      return last_->Query();
    } catch (const DriverError&) {
      if (last_->HasFailed()) last_event_->Forget(last_);
      throw;
    }
  }
  Dependencies HoldUp(const Context& context, StreamHandle stream) const override {
    return last_->HoldUp(context, stream);
  }

 private:
  std::shared_ptr<LastEvent> last_event_;
  std::shared_ptr<CudaEvent> last_;
};

}  // namespace

void LastEvents::Add(std::shared_ptr<LastEvent> last_event) {
  if (std::find(last_events_.begin(), last_events_.end(), last_event) != last_events_.end()) return;
  if (last_events_.size() >= forget_at_) ForgetEnded();
  last_events_.push_back(std::move(last_event));
}

Events LastEvents::Last() {
  ForgetEnded();
  Events events;
  for (const auto& last_event : last_events_) {
    if (auto last = last_event->last()) {
      events.push_back(std::make_shared<ToldEvent>(last_event, std::move(last)));
    }
  }
  return events;
}

void LastEvents::ForgetEnded() {
  last_events_.erase(std::remove_if(last_events_.begin(), last_events_.end(), IsOver),
                     last_events_.end());
  forget_at_ = std::max(kForgetAt, 2 * last_events_.size());
}

}  // namespace array_interface::cuda
