#include "event.hpp"

#include <string>
#include <utility>

#include "async_error.hpp"
#include "background.hpp"

namespace array_interface::sycl {

std::atomic<std::size_t> Event::count_{0};

Event::Event(const Dpctl& dpctl, EventReference reference)
    : dpctl_(dpctl), reference_(std::move(reference)) {
  ++count_;
}

Event::~Event() {
  --count_;
  if (code_ != 0 && !told_) PublishAsyncError(code_);
}

bool Event::Query() {
  if (ended_) {
    Tell();
    return true;
  }
  const auto& ask = dpctl_.Event_GetCommandExecutionStatus;
  const auto status = static_cast<EventStatus>(ask(reference_.get()));
  if (status == EventStatus::kUnknown) ask.Fail("an unknown status");
  if (status != EventStatus::kComplete) return false;
  Finish();
  Tell();
  return true;
}

EventStatus Event::Status() const {
  if (ended_) return EventStatus::kComplete;
  return static_cast<EventStatus>(dpctl_.Event_GetCommandExecutionStatus(reference_.get()));
}

EventTimes Event::Times() {
  EventTimes times{0, 0, 0};
  if (Query()) {
    times = {dpctl_.Event_GetProfilingInfoSubmit(reference_.get()),
             dpctl_.Event_GetProfilingInfoStart(reference_.get()),
             dpctl_.Event_GetProfilingInfoEnd(reference_.get())};
  }
  if (times.ended != 0) return times;
  throw SyclError(
      "ERR_ARGUMENT", "event",
      "expected an event that was reached, of a queue made with profiling, got another; "
      "create the queue with {profiling: true} and wait for the event");
}

void Event::Wait() {
  Finish();
  Tell();
}

void Event::WaitQuietly() { Finish(); }

// The runtime hands errors of running work to the queue's handler, once, on the thread that waits.
void Event::Finish() {
  if (ended_) return;
  std::lock_guard lock(ending_);
  if (ended_) return;
  error_ = WaitForError();
  ended_ = true;
}

std::optional<SyclError> Event::WaitForError() {
  const AsyncErrorCatch caught;
  try {
    dpctl_.Event_WaitAndThrow(reference_.get());
  } catch (const SyclError& error) {
    return error;
  }
  code_ = caught.code();
  if (code_ == 0) return std::nullopt;
  return SyclError({"ERR_SYCL", "",
                    "expected the enqueued work to succeed, got asynchronous error " +
                        std::to_string(code_) + " from the SYCL runtime; its results are not valid",
                    "", 0, dpctl_.Event_WaitAndThrow.name()});
}

void Event::Tell() {
  if (!error_) return;
  told_ = true;
  throw SyclError(*error_);
}

Poll Event::Look() {
  Poll poll;
  Background::Instance().Pass([&] {
    try {
      poll.done = Query();
    } catch (const SyclError& error) {
      poll = {true, error.failure()};
    }
  });
  return poll;
}

}  // namespace array_interface::sycl
