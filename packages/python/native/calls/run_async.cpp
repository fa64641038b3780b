#include "calls/run_async.hpp"

#include <memory>
#include <string>

#include "calls/run.hpp"
#include "interpreter/entry.hpp"
#include "napi/argument.hpp"
#include "napi/exports.hpp"
#include "napi/handle.hpp"
#include "objects/arguments.hpp"
#include "objects/wrapped.hpp"

namespace array_interface {

namespace {

/// runAsync(callable, args, kwargs, thread): returns {promise, run}. The promise is of an array
/// with the result in it.
Napi::Value RunAsync(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto hold = NeedObject(info[0]);
  const ReadArguments read(info[1], info[2]);
  const std::string thread = ReadString(info[3], "thread");
  const Entry entry(env);
  const auto run =
      std::make_shared<Run>(env, Reference::Share(hold->object()), Arguments(read, hold->object()));
  auto started = Napi::Object::New(env);
  // Started before the handle is made: a run that did not start has references, which must not be
  // dropped with the handle, detached.
  started["promise"] = run->Start(env, thread);
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
  AddExports(exports, {{"runAsync", kFunction<RunAsync>}, {"cancel", kFunction<Cancel>}});
}

}  // namespace array_interface
