#include "calls/remote_call.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "calls/cancellation.hpp"
#include "calls/instruction.hpp"
#include "calls/timeout.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/python_addon.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

using Clock = std::chrono::steady_clock;

/// Polling interval of a waiting worker, which is not notified when it is to end.
constexpr std::chrono::milliseconds kLook{100};

constexpr const char* kBlocked =
    "expected the JavaScript thread to take this call, got one that is inside a call into Python, "
    "which may be waiting for this thread; use runAsync for that call";

}  // namespace

PyObject* RemoteCall::Make(const CalledFunction& function, PyObject* args, PyObject* kwargs) {
  return std::make_shared<RemoteCall>(function, args, kwargs)->Run();
}

RemoteCall::RemoteCall(const CalledFunction& function, PyObject* args, PyObject* kwargs)
    : function_(function), args_(Reference::Share(args)), kwargs_(Reference::Share(kwargs)) {}

PyObject* RemoteCall::Run() {
  Cancellation* const cancellation = Cancellation::OfThisThread();
  const bool was_cancelled = cancellation != nullptr && cancellation->IsCancelled();
  // A KeyboardInterrupt that has not reached this thread yet is raised between two instructions.
  if (was_cancelled && !RunInstruction()) return nullptr;
  const auto self = shared_from_this();
  JavaScriptThread& thread = *function_.thread;
  // Registered before anything else: an environment that ends later ends this call.
  const auto at_end = thread.AtEnd([self] { self->Become(State::kEnded); });
  if (at_end == 0 || !thread.Post([self](Napi::Env env) { self->Answer(env); })) {
    Become(State::kEnded);
  }
  {
    const Detached detached;
    const auto wake = [this] { Become(State::kInterrupted); };
    if (cancellation != nullptr) cancellation->StartWaiting(wake, was_cancelled);
    Wait();
    if (cancellation != nullptr) cancellation->StopWaiting();
  }
  thread.Forget(at_end);
  return Result();
}

void RemoteCall::Wait() {
  const auto& thread = *function_.thread;
  std::unique_lock lock(mutex_);
  while (!IsOver()) {
    const auto stay = thread.stay();
    const bool is_over =
        WaitUntil(lock, Clock::now() + std::chrono::duration_cast<Clock::duration>(Timeout()));
    // True if the stay is the same throughout. Another stay would mean that the event loop ran, or
    // may have. Python code that the function itself calls may take as long as it likes.
    const bool is_blocked = stay != 0 && thread.stay() == stay && state_ != State::kRunning;
    if (!is_over && is_blocked) state_ = State::kBlocked;
  }
}

/// Returns whether the call is over before `end`. Node waits for a worker that it terminates, and
/// for all of them at the end of the process, so a worker must then stop waiting.
bool RemoteCall::WaitUntil(std::unique_lock<std::mutex>& lock, Clock::time_point end) {
  const auto is_over = [this] { return IsOver(); };
  const PythonAddon* const own = PythonAddon::OfThisThread();
  if (own == nullptr) return changed_.wait_until(lock, end, is_over);
  while (!changed_.wait_until(lock, std::min(end, Clock::now() + kLook), is_over)) {
    if (Clock::now() >= end) return false;
    lock.unlock();
    const bool can_run = own->CanRun();
    lock.lock();
    if (!can_run && !IsOver()) state_ = State::kAbandoned;
  }
  return true;
}

/// The call is over, so no other thread writes its fields.
PyObject* RemoteCall::Result() {
  const Reference args = std::move(args_);  // still set if the call did not begin
  const Reference kwargs = std::move(kwargs_);
  if (state_ == State::kAnswered) return outcome_.Give();
  // A promise may be left; it no longer keeps the process alive. Post does nothing once the
  // environment has ended.
  function_.thread->Post([self = shared_from_this()](Napi::Env) { self->LetGo(); });
  if (state_ == State::kInterrupted) {
    Cancellation::Raise();
  } else {
    const bool is_blocked = state_ == State::kBlocked;
    Py().PyErr_SetString(*Py().PyExc_RuntimeError, is_blocked ? kBlocked : kEnded);
  }
  return nullptr;
}

void RemoteCall::Become(State state) {
  const std::lock_guard lock(mutex_);
  if (IsOver()) return;
  state_ = state;
  changed_.notify_one();
}

bool RemoteCall::Begin(Reference& args, Reference& kwargs) {
  const std::lock_guard lock(mutex_);
  if (IsOver()) return false;
  state_ = State::kRunning;
  args = std::move(args_);
  kwargs = std::move(kwargs_);
  return true;
}

void RemoteCall::Answer(Napi::Env env) {
  try {
    std::vector<napi_value> values;
    {
      const Entry entry(env);
      Reference args;
      Reference kwargs;
      if (!Begin(args, kwargs)) return;
      values = ArgumentsOf(env, args.get(), kwargs.get());
    }
    const Napi::Value result = function_.Get().Call(values);
    if (!result.IsPromise()) return Fulfil(result);
    AwaitPromise(env, result.As<Napi::Object>());
  } catch (const Napi::Error& error) {
    Reject(error);
  }
}

void RemoteCall::AwaitPromise(Napi::Env env, Napi::Object promise) {
  const auto fulfil = [self = shared_from_this()](const Napi::CallbackInfo& info) {
    self->Fulfil(info[0]);
  };
  const auto reject = [self = shared_from_this()](const Napi::CallbackInfo& info) {
    self->Reject(Napi::Error(info.Env(), info[0]));
  };
  Keep();
  Become(State::kSettling);
  const auto then = promise.Get("then").As<Napi::Function>();
  then.Call(promise, {Napi::Function::New(env, fulfil), Napi::Function::New(env, reject)});
}

void RemoteCall::Fulfil(const Napi::Value& value) {
  try {
    const Entry entry(value.Env());
    Settle(Outcome::Take(ToPython(value).Give()));
  } catch (const Napi::Error& error) {
    Reject(error);
  }
}

void RemoteCall::Reject(const Napi::Error& error) noexcept {
  const Entry entry(error.Env());
  Raise(error);
  Settle(Outcome::Take(nullptr));
}

void RemoteCall::Settle(Outcome outcome) {
  LetGo();
  const std::lock_guard lock(mutex_);
  if (IsOver()) return;  // nothing waits for it: `outcome` drops it
  outcome_ = std::move(outcome);
  state_ = State::kAnswered;
  changed_.notify_one();
}

void RemoteCall::Keep() {
  is_kept_ = true;
  function_.thread->Keep();
}

void RemoteCall::LetGo() {
  if (std::exchange(is_kept_, false)) function_.thread->LetGo();
}

}  // namespace array_interface
