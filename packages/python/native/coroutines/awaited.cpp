#include "coroutines/awaited.hpp"

#include <utility>

#include "coroutines/loop.hpp"
#include "interpreter/entry.hpp"
#include "napi/exports.hpp"
#include "napi/handle.hpp"
#include "objects/object.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

constexpr const char* kCapsule = "array-interface.awaited";
using Box = std::shared_ptr<Awaited>;

PyObject* Done(PyObject* self, PyObject* task) {
  auto* const box = static_cast<Box*>(Py().PyCapsule_GetPointer(self, kCapsule));
  if (box == nullptr) return nullptr;
  (*box)->Finish(task);
  return Reference::Share(Py().None).Give();
}

void EndCapsule(PyObject* capsule) {
  delete static_cast<Box*>(Py().PyCapsule_GetPointer(capsule, kCapsule));
}

PyMethodDef done{"done", Done, kOneArg, nullptr};

/// The callback of a task. It is not a function of JavaScript's, for which the loop would wait.
Reference MakeDone(Napi::Env env, Box awaited) {
  auto box = std::make_unique<Box>(std::move(awaited));
  const Reference capsule = Checked(env, Py().PyCapsule_New(box.get(), kCapsule, EndCapsule));
  [[maybe_unused]] const Box* const given = box.release();
  return Checked(env, Py().PyCFunction_NewEx(&done, capsule.get(), nullptr));
}

/// beginAwait(object): returns {promise, awaited}.
Napi::Value BeginAwait(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EnteredObject object(info[0]);
  const auto awaited = std::make_shared<Awaited>(env);
  auto begun = Napi::Object::New(env);
  begun["promise"] = awaited->Begin(env, object.get());
  begun["awaited"] = Handle<Awaited>::Wrap(env, awaited);
  return begun;
}

void CancelAwait(const Napi::CallbackInfo& info) {
  const auto awaited = Handle<Awaited>::Unwrap(info[0], "awaited");
  const Entry entry(info.Env());
  awaited->Cancel();
}

/// True for an object whose class has the attribute. False for what is no object, or disposed.
bool HasInClass(const Napi::CallbackInfo& info, const char* name) {
  std::shared_ptr<Hold> hold;
  try {
    hold = UnwrapObject(info[0]);
  } catch (const Napi::Error&) {  // it was disposed
  }
  if (hold == nullptr) return false;
  const Entry entry(info.Env());
  return ClassHas(hold->object(), name);
}

Napi::Value IsAwaitable(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), HasInClass(info, "__await__"));
}

Napi::Value IsAsyncIterable(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), HasInClass(info, "__aiter__"));
}

}  // namespace

Napi::Promise Awaited::Begin(Napi::Env env, PyObject* awaitable) {
  const auto deferred = Napi::Promise::Deferred::New(env);
  deferred_ = deferred;
  // Before it begins: the outcome may be there at once.
  thread_->Keep();
  at_end_ = thread_->AtEnd([self = weak_from_this()] {
    if (const auto awaited = self.lock()) {
      const Attached attached;
      awaited->Cancel();
    }
  });
  Reference cancel = AwaitOnLoop(awaitable, MakeDone(env, shared_from_this()).get());
  if (!cancel) {
    thread_->Forget(at_end_);
    thread_->LetGo();
    ThrowPending(env);
  }
  cancel_ = std::make_shared<Hold>(std::move(cancel));
  return deferred.Promise();
}

void Awaited::Cancel() {
  const std::shared_ptr<Hold> cancel = cancel_;
  if (cancel == nullptr) return;  // it has ended
  const auto cancelled = Reference::Take(Py().PyObject_CallNoArgs(cancel->object()));
  if (!cancelled) Py().PyErr_Clear();
}

void Awaited::Finish(PyObject* task) {
  auto outcome = std::make_shared<Outcome>(  // shared, since a job may be copied
      Outcome::Take(Py().PyObject_CallMethod(task, "result", nullptr)));
  thread_->Forget(at_end_);
  thread_->Post([self = shared_from_this(), outcome](Napi::Env env) {
    self->Settle(env, std::move(*outcome));
  });
}

void Awaited::Settle(Napi::Env env, Outcome outcome) {
  thread_->LetGo();
  cancel_ = nullptr;
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
  try {
    if (!deferred_) return;
    // Not while attached: resolving reads `then` of the value.
    is_fulfilled ? deferred_->Resolve(value) : deferred_->Reject(value);
  } catch (const Napi::Error&) {  // the thread is being terminated
  }
}

void ExportAwaited(Napi::Object exports) {
  AddExports(exports, {{"beginAwait", kFunction<BeginAwait>},
                       {"cancelAwait", kFunction<CancelAwait>},
                       {"isAwaitable", kFunction<IsAwaitable>},
                       {"isAsyncIterable", kFunction<IsAsyncIterable>}});
}

}  // namespace array_interface
