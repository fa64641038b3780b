#include "objects/modules.hpp"

#include "interpreter/entry.hpp"
#include "interpreter/import_own.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "values/error.hpp"
#include "values/shown.hpp"
#include "values/text.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

Reference ReadText(const Napi::Value& value, const char* path) {
  if (value.IsString()) return Checked(value.Env(), TextToPython(value.Env(), value).Give());
  Throw(value.Env(), {"ERR_TYPE", path,
                      "expected a string, got " + Shown(value) + "; pass it as text", "", 0, ""});
}

/// Calls Python's own `compile`, which handles null characters, lone surrogates and encoding
/// declarations as Python programs expect.
Reference Compile(Napi::Env env, PyObject* source, const char* mode) {
  const Reference builtins = Checked(env, ImportOwn("builtins"));
  constexpr int kFlags = 0;
  return Checked(env, Py().PyObject_CallMethod(builtins.get(), "compile", "(OssiO)", source,
                                               "<array-interface>", mode, kFlags, Py().True));
}

/// Runs source in the namespace of `__main__`.
Reference Run(Napi::Env env, const Reference& source, const char* mode) {
  const Reference code = Compile(env, source.get(), mode);
  PyObject* const main = Py().PyImport_AddModule("__main__");
  if (main == nullptr) ThrowPending(env);
  const auto names = Reference::Share(Py().PyModule_GetDict(main));
  return Checked(env, Py().PyEval_EvalCode(code.get(), names.get(), names.get()));
}

Napi::Value Import(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  const Reference name = ReadText(info[0], "name");
  return WrapObject(info.Env(), Checked(info.Env(), Py().PyImport_Import(name.get())));
}

void Exec(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  const Reference nothing = Run(info.Env(), ReadText(info[0], "code"), "exec");
}

Napi::Value Eval(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  const Reference value = Run(info.Env(), ReadText(info[0], "code"), "eval");
  return ToJavaScript(info.Env(), value.get());
}

}  // namespace

void ExportModules(Napi::Object exports) {
  AddExports(exports,
             {{"import", kFunction<Import>}, {"exec", kFunction<Exec>}, {"eval", kFunction<Eval>}});
}

}  // namespace array_interface
