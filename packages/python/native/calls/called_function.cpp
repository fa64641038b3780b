#include "calls/called_function.hpp"

#include "interpreter/python_addon.hpp"
#include "values/error.hpp"
#include "values/values.hpp"

namespace array_interface {

Napi::Function CalledFunction::Get() const {
  const Napi::Env env = thread->env();
  napi_value function = nullptr;
  if (napi_get_reference_value(env, static_cast<napi_ref>(kept.get()), &function) != napi_ok) {
    throw Napi::Error::New(env);
  }
  return {env, function};
}

std::vector<napi_value> ArgumentsOf(Napi::Env env, PyObject* args, PyObject* kwargs) {
  const Py_ssize_t count = Py().PyTuple_Size(args);
  std::vector<napi_value> values;
  values.reserve(static_cast<std::size_t>(count) + 1);
  for (Py_ssize_t i = 0; i < count; i++) {
    values.push_back(ToJavaScript(env, Py().PyTuple_GetItem(args, i)));
  }
  if (kwargs != nullptr && Py().PyObject_Size(kwargs) > 0) {
    values.push_back(ToJavaScript(env, kwargs));
  }
  return values;
}

void Raise(const Napi::Error& error) noexcept {
  try {
    if (PythonAddon::Of(error.Env()).CanRun()) RaiseInPython(error);
  } catch (...) {  // the environment is ending
  }
  if (Py().PyErr_Occurred() == nullptr) Py().PyErr_SetString(*Py().PyExc_RuntimeError, kEnded);
}

}  // namespace array_interface
