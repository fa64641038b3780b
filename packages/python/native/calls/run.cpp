#include "calls/run.hpp"

#include <system_error>
#include <utility>

#include "calls/run_threads.hpp"
#include "interpreter/entry.hpp"
#include "objects/vectorcall.hpp"
#include "values/error.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// An array of the value: resolving with a coroutine itself would await it, out of a signal's
/// reach.
Napi::Value Boxed(Napi::Env env, const Napi::Value& value) {
  auto box = Napi::Array::New(env, 1);
  box.Set(std::uint32_t{0}, value);
  return box;
}

}  // namespace

Run::Run(Napi::Env env, Reference callable, Arguments arguments)
    : thread_(JavaScriptThread::Of(env)),
      callable_(std::move(callable)),
      arguments_(std::make_unique<Arguments>(std::move(arguments))) {}

Napi::Promise Run::Start(Napi::Env env, const std::string& thread) {
  const auto deferred = Napi::Promise::Deferred::New(env);
  deferred_ = deferred;
  // When the environment ends, nothing can take the run's result any more.
  at_end_ = thread_->AtEnd([self = weak_from_this()] {
    if (const auto run = self.lock()) run->Cancel();
  });
  try {
    thread.empty() ? RunOnPool(shared_from_this()) : RunOnNamed(thread, shared_from_this());
  } catch (const std::system_error&) {
    thread_->Forget(at_end_);
    Drop();
    throw;
  }
  thread_->Keep();
  return deferred.Promise();
}

void Run::Cancel() {
  const Attached attached;
  if (!cancellation_.Cancel()) return;
  Py().PyErr_SetString(*Py().PyExc_KeyboardInterrupt, "");
  Outcome outcome = Outcome::Take(nullptr);
  Drop();
  Finish(std::move(outcome));
}

void Run::Work() {
  const Attached attached;
  if (!cancellation_.Begin()) return;
  Outcome outcome = Call();
  Drop();  // on this thread, and before the promise settles
  Finish(std::move(outcome));
}

void Run::Finish(Outcome outcome) {
  const Detached detached;
  const auto shared = std::make_shared<Outcome>(std::move(outcome));  // a job may be copied
  thread_->Forget(at_end_);
  thread_->Post([self = shared_from_this(), shared](Napi::Env env) {
    self->Settle(env, std::move(*shared));
  });
}

void Run::Drop() {
  callable_ = {};
  arguments_.reset();
}

Outcome Run::Call() {
  Reference result = CallWith(callable_.get(), arguments_->values(), arguments_->positional(),
                              arguments_->names());
  Outcome outcome = Outcome::Take(result.Give());
  cancellation_.End();
  return outcome;
}

void Run::Settle(Napi::Env env, Outcome outcome) {
  thread_->LetGo();
  Napi::Value value;
  bool is_fulfilled = false;
  try {
    const Entry entry(env);
    const Reference result = Checked(env, outcome.Give());
    value = ToJavaScript(env, result.get());
    is_fulfilled = true;
  } catch (const Napi::Error& error) {
    value = error.Value();
  }
  if (!deferred_) return;
  try {
    is_fulfilled ? deferred_->Resolve(Boxed(env, value)) : deferred_->Reject(value);
  } catch (const Napi::Error&) {  // the thread is being terminated
  }
}

}  // namespace array_interface
