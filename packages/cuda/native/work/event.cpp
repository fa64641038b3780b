#include "work/event.hpp"

#include <utility>

#include "driver/driver.hpp"
#include "work/event_pool.hpp"
#include "work/raw_event.hpp"

namespace array_interface::cuda {

Event::Event(std::shared_ptr<Context> context, StreamHandle stream, Place place)
    : context_(std::move(context)), place_(std::move(place)), is_pooled_(true) {
  const ContextScope scope(*context_);
  handle_ = EventPool::Get().Take(*context_);
  Record(stream);
}

Event::Event(std::shared_ptr<Context> context, StreamHandle stream, bool timing)
    : context_(std::move(context)), is_pooled_(false) {
  const ContextScope scope(*context_);
  handle_ = MakeEvent(timing ? 0 : kEventDisableTiming);
  Record(stream);
}

Event::~Event() {
  if (handle_ != nullptr) GiveBack();
}

void Event::Record(StreamHandle stream) {
  try {
    Cuda().cuEventRecord(handle_, stream);
  } catch (const DriverError&) {
    DestroyEvent(*context_, handle_);
    throw;
  }
}

/// A failed event is not used again: it may belong to a graph, or to a context that is lost.
void Event::GiveBack() noexcept {
  const EventHandle event = std::exchange(handle_, nullptr);
  if (is_pooled_ && failure_ == kSuccess) {
    EventPool::Get().Give(*context_, event);
  } else {
    DestroyEvent(*context_, event);
  }
}

bool Event::Conclude(Result result, const char* call) noexcept {
  if (result == kNotReady) return false;
  if (result != kSuccess) {
    failure_ = result;
    failed_call_ = call;
  } else if (place_.reached != nullptr) {
    auto known = place_.reached->load();
    while (known < place_.number && !place_.reached->compare_exchange_weak(known, place_.number)) {
    }
  }
  is_reached_ = true;
  if (is_pooled_ && failure_ == kSuccess && users_ == 0 && handle_ != nullptr) GiveBack();
  return true;
}

// A later point of the stream tells about all before it.
bool Event::Ask() {
  if (is_reached_) return true;
  if (place_.reached != nullptr && place_.reached->load() >= place_.number) {
    return Conclude(kSuccess, nullptr);
  }
  const ContextScope scope(*context_);
  const auto& query = Cuda().cuEventQuery;
  return Conclude(query.Try(handle_), query.name);
}

// False where the driver cannot be asked, since nothing is known to have ended.
bool Event::IsReached() noexcept {
  const std::lock_guard lock(mutex_);
  try {
    return Ask();
  } catch (const DriverError&) {
    return false;
  }
}

bool Event::HasFailed() const noexcept {
  const std::lock_guard lock(mutex_);
  return failure_ != kSuccess;
}

void Event::ThrowFailure() const {
  if (failure_ != kSuccess) throw DriverError(failure_, failed_call_);
}

bool Event::Query() {
  const std::lock_guard lock(mutex_);
  if (!Ask()) return false;
  ThrowFailure();
  return true;
}

void Event::HoldUp(const Context& context, StreamHandle stream) const {
  const std::lock_guard lock(mutex_);
  if (handle_ == nullptr) return;
  const ContextScope scope(context);
  Cuda().cuStreamWaitEvent(stream, handle_, 0);
}

void Event::Synchronize() {
  const ContextScope scope(*context_);
  std::unique_lock lock(mutex_);
  if (!is_reached_) {
    const auto& synchronize = Cuda().cuEventSynchronize;
    ++users_;
    lock.unlock();
    const Result result = synchronize.Try(handle_);
    lock.lock();
    --users_;
    Conclude(result, synchronize.name);
  }
  ThrowFailure();
}

float Event::Since(const Event& start) const {
  const ContextScope scope(*context_);
  float milliseconds = 0;
  Cuda().cuEventElapsedTime(&milliseconds, start.handle_, handle_);
  return milliseconds;
}

}  // namespace array_interface::cuda
