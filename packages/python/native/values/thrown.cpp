#include "values/thrown.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "interpreter/entry.hpp"
#include "interpreter/made_once.hpp"
#include "objects/object.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/text.hpp"

namespace array_interface {

namespace {

constexpr const char* kAttribute = "_javascript_value";
constexpr const char* kStack = "stack";
constexpr const char* kCapsule = "array-interface.thrown";

/// The thrown value, wrapped in an object, since it may be of any type.
struct Thrown {
  std::shared_ptr<void> kept;
  std::uint64_t environment;
};

void EndCapsule(PyObject* capsule) {
  delete static_cast<Thrown*>(Py().PyCapsule_GetPointer(capsule, kCapsule));
}

/// The Python class of JavaScript exceptions. Null, with a Python exception set, if there is no
/// memory.
PyObject* ErrorClass() {
  static MadeOnce made;
  return made.Get([] {
    return Reference::Take(Py().PyErr_NewException("array_interface.JavaScriptError",
                                                   *Py().PyExc_RuntimeError, nullptr));
  });
}

Reference Text(const Napi::Value& thrown) {
  const Napi::Env env = thrown.Env();
  napi_value text = nullptr;
  {
    const Pause pause(PythonAddon::Of(env));  // toString is JavaScript
    if (napi_coerce_to_string(env, thrown, &text) != napi_ok) {
      napi_get_and_clear_last_exception(env, &text);
      text = Napi::String::New(env, "a value without text");
    }
  }
  return TextToPython(env, text);
}

/// The stack that JavaScript would print for an error; None if it has none. Null, with a Python
/// exception set, if there is no memory.
Reference Stack(const Napi::Value& thrown) {
  const Napi::Env env = thrown.Env();
  napi_value stack = nullptr;
  if (thrown.IsObject()) {
    const Pause pause(PythonAddon::Of(env));  // a getter, or a program's hook for the stack
    if (napi_get_named_property(env, thrown, kStack, &stack) != napi_ok) {
      napi_get_and_clear_last_exception(env, &stack);
      stack = nullptr;
    }
  }
  if (stack == nullptr || !Napi::Value(env, stack).IsString()) return Reference::Share(Py().None);
  return TextToPython(env, stack);
}

/// Null, with a Python exception set, if there is no memory.
Reference Carrier(const Napi::Value& thrown) {
  const Napi::Env env = thrown.Env();
  PythonAddon& addon = PythonAddon::Of(env);
  auto box = Napi::Object::New(env);
  box.Set(0u, thrown);
  auto carried = std::make_unique<Thrown>(Thrown{addon.kept.Keep(box), addon.id});
  auto capsule = Reference::Take(Py().PyCapsule_New(carried.get(), kCapsule, EndCapsule));
  if (!capsule) return {};
  [[maybe_unused]] const Thrown* const given = carried.release();
  return capsule;
}

/// The Python exception that a PythonError wraps, or null.
std::shared_ptr<Hold> ExceptionOf(const Napi::Value& thrown) {
  if (!thrown.IsObject()) return nullptr;
  const Napi::Env env = thrown.Env();
  try {
    const Pause pause(PythonAddon::Of(env));
    const auto error = thrown.As<Napi::Object>();
    if (!error.InstanceOf(PythonAddon::Of(env).taught->exception_class.Value())) return nullptr;
    return UnwrapObject(error.Get("exception"));
  } catch (const Napi::Error&) {
    return nullptr;  // disposed, or a getter that throws
  }
}

}  // namespace

Napi::Value ThrownValue(Napi::Env env, PyObject* exception) {
  PyObject* const error_class = ErrorClass();
  if (error_class == nullptr) Py().PyErr_Clear();
  if (Py().PyErr_GivenExceptionMatches(exception, error_class) == 0) return {};
  const auto capsule = Reference::Take(Py().PyObject_GetAttrString(exception, kAttribute));
  const auto* const carried =
      capsule && Py().PyCapsule_IsValid(capsule.get(), kCapsule) != 0
          ? static_cast<Thrown*>(Py().PyCapsule_GetPointer(capsule.get(), kCapsule))
          : nullptr;
  Py().PyErr_Clear();
  if (carried == nullptr || carried->environment != PythonAddon::Of(env).id) return {};
  napi_value box = nullptr;
  const auto reference = static_cast<napi_ref>(carried->kept.get());
  if (napi_get_reference_value(env, reference, &box) != napi_ok || box == nullptr) return {};
  return Napi::Object(env, box).Get(0u);
}

void RaiseInPython(const Napi::Error& error) {
  const Napi::Value thrown = error.Value();
  if (const auto hold = ExceptionOf(thrown);
      hold != nullptr && HasFlag(hold->object(), kExceptionFlag)) {
    const auto type = Reference::Take(Py().PyObject_Type(hold->object()));
    Py().PyErr_SetObject(type.get(), hold->object());
    return;
  }
  const Reference text = Text(thrown);
  const Reference stack = Stack(thrown);
  const Reference capsule = Carrier(thrown);
  if (!text || !stack || !capsule) return;
  const auto exception =
      Reference::Take(Py().PyObject_CallFunctionObjArgs(ErrorClass(), text.get(), nullptr));
  if (!exception) return;
  if (Py().PyObject_SetAttrString(exception.get(), kAttribute, capsule.get()) != 0) return;
  if (Py().PyObject_SetAttrString(exception.get(), kStack, stack.get()) != 0) return;
  Py().PyErr_SetObject(ErrorClass(), exception.get());
}

}  // namespace array_interface
