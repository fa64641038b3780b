#include "sycl_event.hpp"

#include <string>
#include <utility>

#include "driver/async_error.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

std::atomic<std::size_t> SyclEvent::count_{0};

SyclEvent::SyclEvent(const Dpctl& dpctl, EventReference reference, bool has_times,
                     const void* queue)
    : dpctl_(dpctl), has_times_(has_times), queue_(queue) {
  if (!reference) {
    ended_ = true;
    return;
  }
  native_ = std::make_shared<EventReference>(std::move(reference));
  ++count_;
}

SyclEvent::~SyclEvent() {
  if (native_ != nullptr) {
    --count_;
    ExitGate::Instance().Drop(std::move(native_));
  }
  if (code_ != 0 && !told_) PublishAsyncError(code_);
}

std::shared_ptr<EventReference> SyclEvent::native() const {
  const std::lock_guard lock(native_mutex_);
  return native_;
}

Progress SyclEvent::Poll() noexcept {
  if (ended_) return Progress::kComplete;
  Progress progress = Progress::kUnknown;
  try {
    ExitGate::Instance().Pass(
        [&] { progress = SeeWhetherEnded() ? Progress::kComplete : Progress::kPending; });
  } catch (...) {
    // The runtime reports no status.
  }
  return progress;
}

bool SyclEvent::Query() {
  if (!SeeWhetherEnded()) return false;
  Tell();
  return true;
}

bool SyclEvent::SeeWhetherEnded() {
  if (Status() != EventStatus::kComplete) return false;
  Finish();
  return true;
}

EventStatus SyclEvent::Status() const {
  const auto event = native();
  if (event == nullptr) return EventStatus::kComplete;
  const auto& ask = dpctl_.Event_GetCommandExecutionStatus;
  const auto status = static_cast<EventStatus>(ask(event->get()));
  if (status == EventStatus::kUnknown) ask.Fail("an unknown status");
  return status;
}

EventTimes SyclEvent::Times() {
  if (Query() && times_.ended != 0) return times_;
  throw SyclError("ERR_ARGUMENT", "event",
                  "expected a complete event of a queue with profiling, got another; "
                  "create the queue with {profiling: true} and wait for the event");
}

void SyclEvent::Synchronize() {
  Finish();
  Tell();
}

// The runtime passes an error of running work to the queue's handler, once, on the thread that
// waits.
void SyclEvent::Finish() {
  if (ended_) return;
  const std::lock_guard lock(ending_);
  if (ended_) return;
  auto event = native();
  error_ = WaitForError(event->get());
  if (has_times_) times_ = ReadTimes(event->get());
  ended_ = true;
  {
    const std::lock_guard letting_go(native_mutex_);
    native_ = nullptr;
  }
  --count_;
}

std::optional<SyclError> SyclEvent::WaitForError(void* event) {
  const AsyncErrorCatch caught;
  try {
    dpctl_.Event_WaitAndThrow(event);
  } catch (const SyclError& error) {
    if (Status() != EventStatus::kComplete) throw;
    return error;
  }
  code_ = caught.code();
  if (code_ == 0) return std::nullopt;
  return SyclError({"ERR_SYCL", "",
                    "expected the enqueued work to succeed, got asynchronous error " +
                        std::to_string(code_) + " from the SYCL runtime; its results are not valid",
                    "", 0, dpctl_.Event_WaitAndThrow.name()});
}

EventTimes SyclEvent::ReadTimes(void* event) const {
  try {
    return {dpctl_.Event_GetProfilingInfoSubmit(event), dpctl_.Event_GetProfilingInfoStart(event),
            dpctl_.Event_GetProfilingInfoEnd(event)};
  } catch (const SyclError&) {
    return {0, 0, 0};  // work that failed has none
  }
}

void SyclEvent::Tell() {
  if (!error_) return;
  told_ = true;
  throw SyclError(*error_);
}

PollResult SyclEvent::TryQuery() {
  PollResult poll;
  ExitGate::Instance().Pass([&] {
    try {
      poll.done = Query();
    } catch (const SyclError& error) {
      poll = {true, error.failure()};
    }
  });
  return poll;
}

}  // namespace array_interface::sycl
