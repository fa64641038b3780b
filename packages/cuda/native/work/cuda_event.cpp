#include "cuda_event.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "driver/driver.hpp"
#include "event_pool.hpp"
#include "raw_event.hpp"

namespace array_interface::cuda {

CudaEvent::CudaEvent(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others,
                     Position position)
    : context_(std::move(context)),
      others_(std::move(others)),
      position_(std::move(position)),
      is_pooled_(true) {
  const ContextScope scope(*context_);
  handle_ = EventPool::Get().Take(*context_);
  Record(stream);
}

CudaEvent::CudaEvent(std::shared_ptr<Context> context, StreamHandle stream, Dependencies others,
                     bool timing)
    : context_(std::move(context)), others_(std::move(others)), is_pooled_(false) {
  const ContextScope scope(*context_);
  handle_ = MakeEvent(timing ? 0 : kEventDisableTiming);
  Record(stream);
}

CudaEvent::~CudaEvent() {
  if (handle_ != nullptr) GiveBack();
}

void CudaEvent::Record(StreamHandle stream) {
  try {
    Cuda().cuEventRecord(handle_, stream);
  } catch (const DriverError&) {
    DestroyEvent(*context_, handle_);
    throw;
  }
}

/// Returns the driver's event. A failed event is not reused: it may belong to a graph, or to a
/// context that is lost. An event in another library's context is freed with that context, which
/// may be gone already.
void CudaEvent::GiveBack() noexcept {
  const EventHandle event = std::exchange(handle_, nullptr);
  if (!is_pooled_ && !context_->is_primary()) {
    ForgetEvent();
  } else if (is_pooled_ && failure_.result == kSuccess) {
    EventPool::Get().Give(*context_, event);
  } else {
    DestroyEvent(*context_, event);
  }
}

Progress CudaEvent::Conclude(const CallResult& outcome) noexcept {
  const Result result = outcome.result;
  if (result == kNotReady) return Progress::kPending;
  if (result != kSuccess && !EndsWork(result)) return Progress::kUnknown;
  if (result != kSuccess) {
    failure_ = outcome;
  } else if (position_.reached != nullptr) {
    auto known = position_.reached->load();
    while (known < position_.number &&
           !position_.reached->compare_exchange_weak(known, position_.number)) {
    }
  }
  is_complete_ = true;
  if (is_pooled_ && result == kSuccess && users_ == 0 && handle_ != nullptr) GiveBack();
  return Progress::kComplete;
}

CallResult CudaEvent::AskDriver() const noexcept {
  try {
    const ContextScope scope(*context_);
    const auto& query = Cuda().cuEventQuery;
    const CallResult outcome{query.Try(handle_), query.name};
    return outcome.result == kSuccess ? array_interface::cuda::Ask(others_) : outcome;
  } catch (const DriverError& error) {
    return {error.result(), error.call()};
  }
}

// A later complete event of the stream implies that all earlier ones are complete.
Progress CudaEvent::Refresh(CallResult& outcome) noexcept {
  if (is_complete_) return Progress::kComplete;
  const bool is_known = position_.is_in_order && position_.reached->load() >= position_.number;
  if (!is_known) outcome = AskDriver();
  return Conclude(outcome);
}

Progress CudaEvent::Poll() noexcept {
  const std::lock_guard lock(mutex_);
  CallResult outcome;
  return Refresh(outcome);
}

bool CudaEvent::HasFailed() const noexcept {
  const std::lock_guard lock(mutex_);
  return failure_.result != kSuccess;
}

bool CudaEvent::Query() {
  const std::lock_guard lock(mutex_);
  CallResult outcome;
  const Progress progress = Refresh(outcome);
  if (progress == Progress::kUnknown) outcome.AssertSuccess();
  failure_.AssertSuccess();
  return progress == Progress::kComplete;
}

Dependencies CudaEvent::HoldUp(const Context& context, StreamHandle stream) const {
  const std::lock_guard lock(mutex_);
  failure_.AssertSuccess();
  if (handle_ != nullptr) {
    const ContextScope scope(context);
    Cuda().cuStreamWaitEvent(stream, handle_, 0);
  }
  Dependencies others;
  if (is_complete_) return others;
  std::copy_if(others_.begin(), others_.end(), std::back_inserter(others),
               [&context](const Context* other) { return other != &context; });
  if (context_->is_primary() && context_.get() != &context) others.push_back(context_.get());
  return others;
}

void CudaEvent::Synchronize() {
  const ContextScope scope(*context_);
  std::unique_lock lock(mutex_);
  if (!is_complete_) {
    const auto& synchronize = Cuda().cuEventSynchronize;
    ++users_;
    lock.unlock();
    CallResult outcome{synchronize.Try(handle_), synchronize.name};
    if (outcome.result == kSuccess) outcome = array_interface::cuda::Ask(others_);
    lock.lock();
    --users_;
    if (is_complete_) outcome = failure_;  // another thread has seen its completion meanwhile
    if (Conclude(outcome) == Progress::kUnknown) outcome.AssertSuccess();
  }
  failure_.AssertSuccess();
}

float CudaEvent::Since(const CudaEvent& start) const {
  const ContextScope scope(*context_);
  float milliseconds = 0;
  Cuda().cuEventElapsedTime(&milliseconds, start.handle_, handle_);
  return milliseconds;
}

}  // namespace array_interface::cuda
