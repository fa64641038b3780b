#include "calls/callback.hpp"

#include <exception>
#include <memory>
#include <string>

#include "calls/called_function.hpp"
#include "calls/remote_call.hpp"
#include "interpreter/end.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/python_addon.hpp"
#include "values/error.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

constexpr const char* kCapsule = "array-interface.function";

/// State of a Python callable for a JavaScript function, in the capsule that is its `__self__`. Its
/// method definition refers to the texts, which Python reads as long as the callable lives.
struct Callback {
  CalledFunction function;
  std::string name;
  std::string doc;
  PyMethodDef method{};
};

PyObject* Refuse(PyObject* kind, const char* message) {
  Py().PyErr_SetString(kind, message);
  return nullptr;
}

/// Calls the function on its own thread, from Python code that this thread is running.
PyObject* CallHere(const CalledFunction& function, PyObject* args, PyObject* kwargs) {
  const Napi::Env env = function.thread->env();
  try {
    // thousands of calls may come before control returns to JavaScript
    const Napi::HandleScope scope(env);
    const KeepingLent keeping(PythonAddon::Of(env));
    const auto values = ArgumentsOf(env, args, kwargs);
    Napi::Value result;
    {
      const Pause pause(PythonAddon::Of(env));
      result = function.Get().Call(values);
    }
    if (!result.IsPromise()) return ToPython(result).Give();
    Refuse(*Py().PyExc_TypeError,
           "expected a value, got a promise, for which this thread cannot wait, since it runs "
           "JavaScript; call it from a Python thread, such as that of runAsync");
  } catch (const Napi::Error& error) {
    Raise(error);
  }
  return nullptr;
}

PyObject* Call(PyObject* self, PyObject* args, PyObject* kwargs) {
  auto* const callback = static_cast<Callback*>(Py().PyCapsule_GetPointer(self, kCapsule));
  if (callback == nullptr) return nullptr;
  const CalledFunction& function = callback->function;
  if (IsEnding()) return Refuse(*Py().PyExc_RuntimeError, kEnded);
  if (!function.thread->IsOfThisProcess()) {
    return Refuse(
        *Py().PyExc_RuntimeError,
        "expected the process that made the JavaScript function, got a fork of it; call it "
        "there");
  }
  try {
    if (function.thread->IsThis()) return CallHere(function, args, kwargs);
    return RemoteCall::Make(function, args, kwargs);
  } catch (const std::exception& error) {  // Python's own frames cannot handle a C++ exception
    return Refuse(*Py().PyExc_RuntimeError, error.what());
  }
}

void End(PyObject* capsule) {
  delete static_cast<Callback*>(Py().PyCapsule_GetPointer(capsule, kCapsule));
}

std::string NameOf(const Napi::Function& function) {
  // It may be a getter.
  const Napi::Value name = ReadPaused(function.Env(), [&] { return function.Get("name"); });
  std::string text = name.IsString() ? name.As<Napi::String>().Utf8Value() : "";
  text.resize(std::string(text.c_str()).size());
  return text.empty() ? "<anonymous>" : text;
}

}  // namespace

Reference MakeCallback(const Napi::Function& function) {
  const Napi::Env env = function.Env();
  auto made = std::make_unique<Callback>();
  made->function = {JavaScriptThread::Of(env), PythonAddon::Of(env).kept.Keep(function)};
  made->name = NameOf(function);
  // In the form that `inspect.signature` reads.
  made->doc = made->name + "($self, /, *args, **kwargs)\n--\n\nA function of JavaScript's.";
  const auto call = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&Call));
  made->method = {made->name.c_str(), call, kVarArgs | kKeywords, made->doc.c_str()};
  PyMethodDef* const method = &made->method;
  const Reference capsule = Checked(env, Py().PyCapsule_New(made.get(), kCapsule, End));
  [[maybe_unused]] const auto* const given = made.release();
  return Checked(env, Py().PyCFunction_NewEx(method, capsule.get(), nullptr));
}

}  // namespace array_interface
