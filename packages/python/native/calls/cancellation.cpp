#include "calls/cancellation.hpp"

#include <utility>

#include "interpreter/entry.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

namespace {

thread_local Cancellation* of_this_thread = nullptr;

}  // namespace

Cancellation* Cancellation::OfThisThread() { return of_this_thread; }

bool Cancellation::Begin() {
  const Detached detached;
  const std::lock_guard lock(mutex_);
  if (is_cancelled_) return false;
  has_begun_ = true;
  thread_ = Py().PyThread_get_thread_ident();
  of_this_thread = this;
  return true;
}

void Cancellation::End() {
  of_this_thread = nullptr;
  {
    const Detached detached;
    const std::lock_guard lock(mutex_);
    thread_ = 0;  // another thread may soon have the same number
  }
  Py().PyThreadState_SetAsyncExc(Py().PyThread_get_thread_ident(), nullptr);
}

bool Cancellation::Cancel() {
  const std::lock_guard lock(mutex_);
  if (is_cancelled_.exchange(true)) return false;
  if (!has_begun_) return true;
  if (thread_ == 0) return false;  // its code has ended
  Py().PyThreadState_SetAsyncExc(thread_, *Py().PyExc_KeyboardInterrupt);
  if (wake_) wake_();
  return false;
}

void Cancellation::StartWaiting(std::function<void()> wake, bool was_cancelled) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
  if (is_cancelled_ && !was_cancelled) wake_();
}

void Cancellation::StopWaiting() {
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
}

void Cancellation::Raise() {
  Py().PyThreadState_SetAsyncExc(Py().PyThread_get_thread_ident(), nullptr);
  Py().PyErr_SetString(*Py().PyExc_KeyboardInterrupt, "");
}

}  // namespace array_interface
