#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "calls/called_function.hpp"
#include "calls/outcome.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// One call of a JavaScript function by another thread. The calling thread is detached while it
/// waits, also for a promise that the function returns.
class RemoteCall : public std::enable_shared_from_this<RemoteCall> {
 public:
  /// Returns the result of `function` for `args` and `kwargs`, which may be null. Returns a new
  /// reference, or null with an exception set. The thread must be attached.
  static PyObject* Make(const CalledFunction& function, PyObject* args, PyObject* kwargs);

  RemoteCall(const CalledFunction& function, PyObject* args, PyObject* kwargs);

 private:
  /// The state of the call. It advances in this order: queued, running, (settling,) answered. From
  /// any state but the last it may change to one of the last four.
  enum class State {
    kQueued,       ///< the JavaScript thread has not begun it
    kRunning,      ///< it converts the arguments, or runs the function
    kSettling,     ///< the function returned a promise that has not settled
    kAnswered,     ///< `outcome_` is set
    kEnded,        ///< the environment ended first
    kInterrupted,  ///< the calling thread was cancelled
    kAbandoned,    ///< the calling thread is a worker's, which is to end
    kBlocked,      ///< the JavaScript thread is inside Python, and may be waiting for this one
  };

  // On the calling thread.
  PyObject* Run();
  void Wait();
  bool WaitUntil(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point end);
  PyObject* Result();

  // On the JavaScript thread, detached.
  void Answer(Napi::Env env);
  bool Begin(Reference& args, Reference& kwargs);
  void AwaitPromise(Napi::Env env, Napi::Object promise);
  void Fulfil(const Napi::Value& value);
  void Reject(const Napi::Error& error) noexcept;
  void Settle(Outcome outcome);
  void Keep();
  void LetGo();

  // On any thread.
  bool IsOver() const { return state_ >= State::kAnswered; }
  void Become(State state);

  const CalledFunction function_;
  std::mutex mutex_;  ///< held briefly; no thread waits for Python's lock while it holds this
  std::condition_variable changed_;
  State state_ = State::kQueued;
  Reference args_;  ///< taken by the thread that changes the state from kQueued
  Reference kwargs_;
  Outcome outcome_;
  bool is_kept_ = false;  ///< on the JavaScript thread: whether this keeps the process alive
};

}  // namespace array_interface
