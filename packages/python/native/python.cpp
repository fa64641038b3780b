#include "arrays_in/produced.hpp"
#include "arrays_out/array_object.hpp"
#include "calls/run_async.hpp"
#include "coroutines/awaited.hpp"
#include "interpreter/end.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/interpreter.hpp"
#include "interpreter/python_addon.hpp"
#include "napi/argument.hpp"
#include "napi/exports.hpp"
#include "napi/setup.hpp"
#include "objects/object.hpp"

namespace array_interface {

namespace {

void Start(const Napi::CallbackInfo& info) {
  StartPython(info.Env(), {ReadString(info[0], "library"), ReadString(info[1], "program"),
                           ReadString(info[2], "prefix"), ReadString(info[3], "version")});
}

Napi::Value Running(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const RunningPython* const python = ThePython();
  if (python == nullptr) return env.Null();
  auto place = Napi::Object::New(env);
  place["library"] = Napi::String::New(env, python->place.library);
  place["prefix"] = Napi::String::New(env, python->place.prefix);
  return place;
}

void BeforeExit(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  RunExitFunctions();
  StayAttachedAtExit();
}

Napi::Value Version(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  return Napi::String::New(info.Env(), Py().Py_GetVersion());
}

Napi::Object Exports(Napi::Env, Napi::Object exports) {
  AddExports(exports, {{"initialize", &MakeFunction<Initialize<PythonAddon>>},
                       {"start", kFunction<Start>},
                       {"running", kFunction<Running>},
                       {"beforeExit", kFunction<BeforeExit>},
                       {"version", kFunction<Version>}});
  ExportObject(exports);
  ExportRunAsync(exports);
  ExportAwaited(exports);
  ExportArrayObject(exports);
  ExportProduced(exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(python, Exports)

}  // namespace array_interface
