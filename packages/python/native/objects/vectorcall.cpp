#include "objects/vectorcall.hpp"

namespace array_interface {

namespace {

/// For CPython before 3.12, whose stable ABI lacks PyObject_Vectorcall.
Reference CallWithTuple(PyObject* callable, PyObject* const* values, std::size_t positional,
                        PyObject* names) {
  const auto tuple = Reference::Take(Py().PyTuple_New(static_cast<Py_ssize_t>(positional)));
  if (!tuple) return {};
  for (std::size_t i = 0; i < positional; i++) {
    Py().PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i),
                         Reference::Share(values[i]).Give());
  }
  const Py_ssize_t named = names == nullptr ? 0 : Py().PyTuple_Size(names);
  const auto dict = Reference::Take(named > 0 ? Py().PyDict_New() : nullptr);
  if (named > 0 && !dict) return {};
  for (Py_ssize_t i = 0; i < named; i++) {
    PyObject* const name = Py().PyTuple_GetItem(names, i);
    PyObject* const value = values[positional + static_cast<std::size_t>(i)];
    if (Py().PyDict_SetItem(dict.get(), name, value) != 0) return {};
  }
  return Reference::Take(Py().PyObject_Call(callable, tuple.get(), dict.get()));
}

}  // namespace

Reference CallWith(PyObject* callable, PyObject* const* values, std::size_t positional,
                   PyObject* names) {
  if (Py().PyObject_Vectorcall == nullptr) {
    return CallWithTuple(callable, values, positional, names);
  }
  return Reference::Take(Py().PyObject_Vectorcall(callable, values, positional, names));
}

Reference CallMethodWith(PyObject* name, PyObject* const* values, std::size_t positional,
                         PyObject* names) {
  if (Py().PyObject_VectorcallMethod != nullptr) {
    return Reference::Take(Py().PyObject_VectorcallMethod(name, values, positional, names));
  }
  const auto method = Reference::Take(Py().PyObject_GetAttr(values[0], name));
  if (!method) return {};
  return CallWith(method.get(), values + 1, positional - 1, names);
}

}  // namespace array_interface
