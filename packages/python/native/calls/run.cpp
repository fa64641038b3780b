#include "calls/run.hpp"

#include <system_error>
#include <thread>
#include <utility>

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

Napi::Promise Run::Start(Napi::Env env) {
  const auto deferred = Napi::Promise::Deferred::New(env);
  deferred_ = deferred;
  // When the environment ends, nothing can take the run's result any more.
  at_end_ = thread_->AtEnd([self = weak_from_this()] {
    if (const auto run = self.lock()) run->Cancel();
  });
  try {
    std::thread([self = shared_from_this()] { self->Work(); }).detach();
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
  cancellation_.Cancel();
}

/// On its own thread.
void Run::Work() {
  std::shared_ptr<Outcome> outcome;  // shared, since a job may be copied
  {
    const Attached attached;
    outcome = std::make_shared<Outcome>(Call());
    Drop();  // on this thread, and before the promise settles
  }
  thread_->Forget(at_end_);
  thread_->Post([self = shared_from_this(), outcome](Napi::Env env) {
    self->Settle(env, std::move(*outcome));
  });
}

void Run::Drop() {
  callable_ = {};
  arguments_.reset();
}

Outcome Run::Call() {
  if (!cancellation_.Begin()) {
    Cancellation::Raise();
    return Outcome::Take(nullptr);
  }
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
