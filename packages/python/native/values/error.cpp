#include "values/error.hpp"

#include <string>

#include "interpreter/entry.hpp"
#include "interpreter/import_own.hpp"
#include "objects/object.hpp"
#include "values/kind.hpp"
#include "values/text.hpp"
#include "values/thrown.hpp"

namespace array_interface {

namespace {

/// Maximum depth of causes, whose chain may be long, or a ring.
constexpr int kMostCauses = 16;

/// Converts a str to JavaScript. Returns `otherwise` if Python failed to make it, since describing
/// an error may itself fail.
Napi::Value TextOr(Napi::Env env, Reference text, const char* otherwise) {
  if (text && HasFlag(text.get(), kStrFlag)) {
    try {
      return TextToJavaScript(env, text.get());
    } catch (const Napi::Error&) {
    }
  }
  Py().PyErr_Clear();
  return Napi::String::New(env, otherwise);
}

Napi::Value TypeName(Napi::Env env, PyObject* exception) {
  const auto type = Reference::Take(Py().PyObject_Type(exception));
  return TextOr(env, Reference::Take(Py().PyObject_GetAttrString(type.get(), "__name__")),
                "Exception");
}

/// The lines of `traceback.format_exception`, or null.
Reference Traceback(PyObject* exception) {
  const auto module = ImportOwn("traceback");
  if (!module) return {};
  const auto lines =
      Reference::Take(Py().PyObject_CallMethod(module.get(), "format_exception", "(O)", exception));
  if (!lines) return {};
  const auto nothing = Reference::Take(Py().PyUnicode_FromStringAndSize("", 0));
  return Reference::Take(Py().PyUnicode_Join(nothing.get(), lines.get()));
}

/// The cause that Python would print: that of `raise … from`, or the exception that was being
/// handled.
Reference CauseOf(PyObject* exception) {
  auto cause = Reference::Take(Py().PyException_GetCause(exception));
  if (cause) return cause;
  const auto suppressed =
      Reference::Take(Py().PyObject_GetAttrString(exception, "__suppress_context__"));
  if (!suppressed) Py().PyErr_Clear();
  if (suppressed.get() == Py().True) return {};
  return Reference::Take(Py().PyException_GetContext(exception));
}

Napi::Value Describe(Napi::Env env, PyObject* exception, int causes) {
  const Napi::Value thrown = ThrownValue(env, exception);
  if (!thrown.IsEmpty()) return thrown;
  const Napi::Value type = TypeName(env, exception);
  const Napi::Value text =
      TextOr(env, Reference::Take(Py().PyObject_Str(exception)), "<exception str() failed>");
  const Napi::Value traceback = TextOr(env, Traceback(exception), "");
  const Napi::Value object = WrapObject(env, Reference::Share(exception));
  Napi::Value cause = env.Undefined();
  if (causes > 0) {
    if (const Reference reason = CauseOf(exception))
      cause = Describe(env, reason.get(), causes - 1);
  }
  PythonAddon& addon = PythonAddon::Of(env);
  const Pause pause(addon);  // making an Error may run a program's hook for its stack
  return addon.taught->exception_class.Value().New({type, text, traceback, object, cause});
}

}  // namespace

Reference TakePending() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  Py().PyErr_Fetch(&type, &value, &traceback);
  if (type == nullptr) return {};
  Py().PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) Py().PyException_SetTraceback(value, traceback);
  const auto kept_type = Reference::Take(type);
  const auto kept_traceback = Reference::Take(traceback);
  return Reference::Take(value);
}

Napi::Value ErrorFor(Napi::Env env, PyObject* exception) {
  return Describe(env, exception, kMostCauses);
}

void ThrowPending(Napi::Env env) {
  Reference exception = TakePending();
  if (!exception) {
    Py().PyErr_SetString(*Py().PyExc_SystemError, "a function failed and raised no exception");
    exception = TakePending();
  }
  throw Napi::Error(env, ErrorFor(env, exception.get()));
}

Reference IfPresent(Napi::Env env, PyObject* attribute) {
  if (attribute == nullptr) {
    if (Py().PyErr_ExceptionMatches(*Py().PyExc_AttributeError) == 0) ThrowPending(env);
    Py().PyErr_Clear();
  }
  return Reference::Take(attribute);
}

Reference Checked(Napi::Env env, PyObject* result) { return Checked(env, Reference::Take(result)); }

Reference Checked(Napi::Env env, Reference result) {
  if (!result) ThrowPending(env);
  return result;
}

}  // namespace array_interface
