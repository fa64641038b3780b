#include "event.hpp"

#include <string>
#include <utility>

#include "async_error.hpp"
#include "background.hpp"

namespace array_interface::sycl {

Event::Event(const Dpctl& dpctl, EventReference reference)
    : dpctl_(dpctl), reference_(std::move(reference)) {}

bool Event::Query() {
  if (ended_) return true;
  const auto& ask = dpctl_.Event_GetCommandExecutionStatus;
  const auto status = static_cast<EventStatus>(ask(reference_.get()));
  if (status == EventStatus::kUnknown) ask.Fail("an unknown status");
  if (status != EventStatus::kComplete) return false;
  Finish();
  return true;
}

void Event::Wait() {
  if (!ended_) Finish();
}

// The runtime hands errors of running work to the queue's handler, on the thread that waits.
void Event::Finish() {
  TakeAsyncError();
  dpctl_.Event_WaitAndThrow(reference_.get());
  ended_ = true;
  const int code = TakeAsyncError();
  if (code == 0) return;
  throw SyclError({"ERR_SYCL", "",
                   "expected the enqueued work to succeed, got asynchronous error " +
                       std::to_string(code) + " from the SYCL runtime; its results are not valid",
                   "", 0, dpctl_.Event_WaitAndThrow.name()});
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
