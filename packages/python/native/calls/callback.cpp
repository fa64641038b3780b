#include "calls/callback.hpp"

#include <exception>
#include <string>
#include <utility>

#include "calls/called_function.hpp"
#include "calls/remote_call.hpp"
#include "interpreter/end.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/import_own.hpp"
#include "interpreter/made_once.hpp"
#include "interpreter/own_type.hpp"
#include "interpreter/python_addon.hpp"
#include "values/error.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// What a Python callable for a JavaScript function has behind its header.
struct Callback {
  void* weak_references = nullptr;  ///< Python's
  CalledFunction function;
  std::string name;
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
  const CalledFunction& function = BodyOf<Callback>(self).function;
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

void Dealloc(PyObject* self) {
  auto& callback = BodyOf<Callback>(self);
  if (callback.weak_references != nullptr) Py().PyObject_ClearWeakRefs(self);
  callback.~Callback();
  FreeInstance(self);
}

PyObject* Text(const std::string& text) {
  return Py().PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* Name(PyObject* self, void*) { return Text(BodyOf<Callback>(self).name); }

PyObject* Doc(PyObject*, void*) { return Text("A function of JavaScript's."); }

/// In the form that `inspect.signature` reads.
PyObject* Signature(PyObject*, void*) { return Text("(*args, **kwargs)"); }

PyObject* Repr(PyObject* self) {
  return Py().PyUnicode_FromFormat("<JavaScript function %s>", BodyOf<Callback>(self).name.c_str());
}

/// `types.MethodType`. Null if Python raised an exception.
PyObject* MethodType() {
  static MadeOnce made;
  return made.Get([] {
    const auto types = ImportOwn("types");
    return Reference::Take(types ? Py().PyObject_GetAttrString(types.get(), "MethodType")
                                 : nullptr);
  });
}

/// As an attribute of a class, it is a method: Python's functions are, and those made in C are not.
PyObject* Bind(PyObject* self, PyObject* object, PyObject*) {
  if (object == nullptr || object == Py().None) return Reference::Share(self).Give();
  PyObject* const type = MethodType();
  if (type == nullptr) return nullptr;
  return Py().PyObject_CallFunctionObjArgs(type, self, object, nullptr);
}

/// For `copy.copy` and `copy.deepcopy`, which copy none of Python's functions either.
PyObject* Itself(PyObject* self, PyObject*) { return Reference::Share(self).Give(); }

Reference MakeType() {
  static MemberSpec members[] = {
      {"__weaklistoffset__", kSizeMember, static_cast<Py_ssize_t>(ThePython()->header_size),
       kReadOnlyMember, nullptr},
      {}};
  static PropertySpec properties[] = {{"__name__", Name, nullptr, nullptr, nullptr},
                                      {"__qualname__", Name, nullptr, nullptr, nullptr},
                                      {"__doc__", Doc, nullptr, nullptr, nullptr},
                                      {"__text_signature__", Signature, nullptr, nullptr, nullptr},
                                      {}};
  static PyMethodDef methods[] = {
      {"__copy__", Itself, kNoArgs, nullptr}, {"__deepcopy__", Itself, kOneArg, nullptr}, {}};
  TypeSlot slots[] = {{kCall, reinterpret_cast<void*>(Call)},
                      {kDealloc, reinterpret_cast<void*>(Dealloc)},
                      {kDescrGet, reinterpret_cast<void*>(Bind)},
                      {kRepr, reinterpret_cast<void*>(Repr)},
                      {kMembers, members},
                      {kMethods, methods},
                      {kProperties, properties},
                      {0, nullptr}};
  TypeSpec spec = {"array_interface_node.JavaScriptFunction", SizeWith<Callback>(), 0,
                   kDefaultType | kNoInstances | kImmutableType, slots};
  return Reference::Take(Py().PyType_FromSpec(&spec));
}

PyObject* TypeOfFunctions() {
  static MadeOnce made;
  return made.Get(MakeType);
}

}  // namespace

Reference MakeCallback(const Napi::Function& function, std::string name) {
  const Napi::Env env = function.Env();
  Callback made{nullptr,
                {JavaScriptThread::Of(env), PythonAddon::Of(env).kept.Keep(function)},
                std::move(name)};
  PyObject* const type = TypeOfFunctions();
  if (type == nullptr) ThrowPending(env);
  return Checked(env, MakeInstance(type, std::move(made)));
}

}  // namespace array_interface
