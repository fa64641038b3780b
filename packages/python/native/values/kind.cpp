#include "values/kind.hpp"

#include "interpreter/reference.hpp"
#include "values/text.hpp"

namespace array_interface {

namespace {

/// A built-in type, and the flag of its subclasses. float has none.
struct BuiltIn {
  PyObject* Api::*type;
  unsigned long flag;
  Kind kind;
};
constexpr BuiltIn kBuiltIns[] = {
    {&Api::PyLong_Type, kIntFlag, Kind::kInt},    {&Api::PyFloat_Type, 0, Kind::kFloat},
    {&Api::PyUnicode_Type, kStrFlag, Kind::kStr}, {&Api::PyBytes_Type, kBytesFlag, Kind::kBytes},
    {&Api::PyList_Type, kListFlag, Kind::kList},  {&Api::PyTuple_Type, kTupleFlag, Kind::kTuple},
    {&Api::PyDict_Type, kDictFlag, Kind::kDict},
};

/// The kind of a type itself. Subclasses need more checks. Compared one by one: every value takes
/// this path, and a loop over kBuiltIns makes an attribute 8 % slower.
Kind ExactKind(PyObject* type) {
  const Api& py = Py();
  if (type == py.PyLong_Type) return Kind::kInt;
  if (type == py.PyFloat_Type) return Kind::kFloat;
  if (type == py.PyUnicode_Type) return Kind::kStr;
  if (type == py.PyBytes_Type) return Kind::kBytes;
  if (type == py.PyList_Type) return Kind::kList;
  if (type == py.PyTuple_Type) return Kind::kTuple;
  if (type == py.PyDict_Type) return Kind::kDict;
  return Kind::kOther;
}

Kind KindByFlags(PyObject* type) {
  const unsigned long flags = Py().PyType_GetFlags(type);
  for (const BuiltIn& one : kBuiltIns) {
    if ((flags & one.flag) != 0) return one.kind;
  }
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

unsigned long FlagsOf(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return Py().PyType_GetFlags(type.get());
}

bool HasFlag(PyObject* object, unsigned long flag) { return (FlagsOf(object) & flag) != 0; }

std::string TextAttribute(PyObject* object, const char* name) {
  const auto value = Reference::Take(Py().PyObject_GetAttrString(object, name));
  const auto text = value ? Utf8In(value.get()) : std::nullopt;
  Py().PyErr_Clear();
  return std::string(text.value_or("?"));
}

std::string ClassName(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return TextAttribute(type.get(), "__name__");
}

}  // namespace array_interface
