#include "calls/run_async.hpp"

#include <memory>
#include <utility>

#include "calls/run.hpp"
#include "interpreter/entry.hpp"
#include "napi/failure.hpp"
#include "napi/guarded.hpp"
#include "napi/handle.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/shown.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

Reference Positional(const Napi::Value& list) {
  const Napi::Env env = list.Env();
  if (!list.IsArray()) {
    Throw(env, {"ERR_TYPE", "args",
                "expected an array of arguments, got " + Shown(list) + "; put them into brackets",
                "", 0, ""});
  }
  const Reference converted = ToPython(list, ValuePath("args"));
  return Checked(env, Py().PyList_AsTuple(converted.get()));
}

/// TypeScript has checked them. PyObject_Call would take any object for a dict.
Reference Named(const Napi::Value& object) {
  if (object.IsUndefined()) return {};
  Reference named = ToPython(object, ValuePath("kwargs"));
  if (HasFlag(named.get(), kDictFlag)) return named;
  Throw(object.Env(),
        {"ERR_TYPE", "kwargs",
         "expected an object of keyword arguments, got " + Shown(object) + "; pass { name: value }",
         "", 0, ""});
}

/// runAsync(callable, args, kwargs): returns {promise, run}.
Napi::Value RunAsync(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EnteredObject self(info[0]);
  const auto run =
      std::make_shared<Run>(env, Reference::Share(self.get()), Positional(info[1]), Named(info[2]));
  auto started = Napi::Object::New(env);
  // Started before the handle is made: a run that did not start has references, which must not be
  // dropped with the handle, detached.
  started["promise"] = run->Start(env);
  started["run"] = Handle<Run>::Wrap(env, run);
  return started;
}

void Cancel(const Napi::CallbackInfo& info) {
  const auto run = Handle<Run>::Unwrap(info[0], "run");
  const Entry entry(info.Env());
  run->Cancel();
}

}  // namespace

void ExportRunAsync(Napi::Object exports) {
  const Napi::Env env = exports.Env();
  exports["runAsync"] = Napi::Function::New<Guarded<RunAsync>>(env, "runAsync");
  exports["cancel"] = Napi::Function::New<Guarded<Cancel>>(env, "cancel");
}

}  // namespace array_interface
