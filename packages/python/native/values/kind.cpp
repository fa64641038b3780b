#include "values/kind.hpp"

#include "interpreter/reference.hpp"

namespace array_interface {

namespace {

/// The kind of a type itself. Subclasses need more checks.
Kind ExactKind(PyObject* type) {
  if (type == Py().PyLong_Type) return Kind::kInt;
  if (type == Py().PyFloat_Type) return Kind::kFloat;
  if (type == Py().PyUnicode_Type) return Kind::kStr;
  if (type == Py().PyBytes_Type) return Kind::kBytes;
  if (type == Py().PyList_Type) return Kind::kList;
  if (type == Py().PyTuple_Type) return Kind::kTuple;
  if (type == Py().PyDict_Type) return Kind::kDict;
  return Kind::kOther;
}

Kind KindByFlags(PyObject* type) {
  const unsigned long flags = Py().PyType_GetFlags(type);
  if ((flags & kIntFlag) != 0) return Kind::kInt;
  if ((flags & kStrFlag) != 0) return Kind::kStr;
  if ((flags & kBytesFlag) != 0) return Kind::kBytes;
  if ((flags & kListFlag) != 0) return Kind::kList;
  if ((flags & kTupleFlag) != 0) return Kind::kTuple;
  if ((flags & kDictFlag) != 0) return Kind::kDict;
  // float has no flag.
  return Py().PyType_IsSubtype(type, Py().PyFloat_Type) != 0 ? Kind::kFloat : Kind::kOther;
}

}  // namespace

Kind KindOf(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  const Kind exact = ExactKind(type.get());
  if (exact != Kind::kOther) return exact;
  const Kind kind = KindByFlags(type.get());
  if (kind == Kind::kOther) return kind;
  const bool is_array = Py().PyObject_HasAttrString(type.get(), "__array_interface__") != 0;
  return is_array ? Kind::kOther : kind;
}

bool HasFlag(PyObject* object, unsigned long flag) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return (Py().PyType_GetFlags(type.get()) & flag) != 0;
}

std::string ClassName(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  const auto name = Reference::Take(Py().PyObject_GetAttrString(type.get(), "__name__"));
  Py_ssize_t size = 0;
  const char* const text = name && HasFlag(name.get(), kStrFlag)
                               ? Py().PyUnicode_AsUTF8AndSize(name.get(), &size)
                               : nullptr;
  Py().PyErr_Clear();
  return text == nullptr ? "?" : std::string(text, static_cast<std::size_t>(size));
}

}  // namespace array_interface
