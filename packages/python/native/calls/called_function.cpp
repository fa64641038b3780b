#include "calls/called_function.hpp"

#include <cstdint>

#include "interpreter/python_addon.hpp"
#include "values/elements.hpp"
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

namespace {

/// Keyword arguments as a plain object, with values as all others have them.
Napi::Value NamedObject(Napi::Env env, PyObject* kwargs) {
  const Reference pairs = Checked(env, Py().PyMapping_Items(kwargs));
  const auto count = static_cast<std::uint32_t>(Py().PyList_Size(pairs.get()));
  const auto names = Napi::Array::New(env, count);
  const auto values = Napi::Array::New(env, count);
  const Reference items = Checked(env, Py().PyList_AsTuple(pairs.get()));
  for (std::uint32_t i = 0; i < count; i++) {
    PyObject* const pair = Py().PyTuple_GetItem(items.get(), static_cast<Py_ssize_t>(i));
    napi_set_element(env, names, i, ToJavaScript(env, Py().PyTuple_GetItem(pair, 0)));
    napi_set_element(env, values, i, ToJavaScript(env, Py().PyTuple_GetItem(pair, 1)));
  }
  return BuildDistinct(env, &Taught::object_of, {names, values}, ValuePath("kwargs"));
}

}  // namespace

std::vector<napi_value> ArgumentsOf(Napi::Env env, PyObject* args, PyObject* kwargs) {
  const Py_ssize_t count = Py().PyTuple_Size(args);
  std::vector<napi_value> values;
  values.reserve(static_cast<std::size_t>(count) + 1);
  for (Py_ssize_t i = 0; i < count; i++) {
    values.push_back(ToJavaScript(env, Py().PyTuple_GetItem(args, i)));
  }
  if (kwargs != nullptr && Py().PyObject_Size(kwargs) > 0) {
    values.push_back(NamedObject(env, kwargs));
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
