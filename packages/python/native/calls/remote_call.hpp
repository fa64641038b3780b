#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "calls/called_function.hpp"
#include "calls/outcome.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// One call of a JavaScript function by a thread that is not the function's. The calling thread is
/// detached while it waits, also for a promise that the function gives.
class RemoteCall : public std::enable_shared_from_this<RemoteCall> {
 public:
  /// What `function` gave for `args` and `kwargs`, which may be null: a new reference, or null with
  /// an exception pending. The thread is attached.
  static PyObject* Make(const CalledFunction& function, PyObject* args, PyObject* kwargs);

  RemoteCall(const CalledFunction& function, PyObject* args, PyObject* kwargs);
  RemoteCall(const RemoteCall&) = delete;
  RemoteCall& operator=(const RemoteCall&) = delete;
  ~RemoteCall() = default;

 private:
  /// Where it stands. Only these orders: queued, running, (settling,) answered; and from any of
  /// them but the last to one of the four last.
  enum class State {
    kQueued,       ///< the JavaScript thread has not come to it
    kRunning,      ///< it converts the arguments, or runs the function
    kSettling,     ///< the function gave a promise, which is not settled
    kAnswered,     ///< `outcome_` is there
    kEnded,        ///< the environment ended first
    kInterrupted,  ///< the calling thread was cancelled
    kAbandoned,    ///< the calling thread is a worker's, which is to end
    kBlocked,      ///< the JavaScript thread is inside Python, and perhaps waits for this one
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

  // On any.
  bool IsOver() const { return state_ >= State::kAnswered; }
  void Become(State state);

  const CalledFunction function_;
  std::mutex mutex_;  ///< held for moments only; nobody waits for Python's lock with it
  std::condition_variable changed_;
  State state_ = State::kQueued;
  Reference args_;  ///< whoever takes the state away from kQueued takes these, too
  Reference kwargs_;
  Outcome outcome_;
  bool is_kept_ = false;  ///< on the JavaScript thread: whether this keeps the process alive
};

}  // namespace array_interface
