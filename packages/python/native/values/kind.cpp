#include "values/kind.hpp"

#include <atomic>

#include "interpreter/reference.hpp"
#include "values/text.hpp"

namespace array_interface {

namespace {

/// Compared one by one: every value takes this path, and a loop makes an attribute 8 % slower.
Kind ExactKind(PyObject* type) {
  const Api& py = Py();
  if (type == py.PyLong_Type) return Kind::kInt;
  if (type == py.PyFloat_Type) return Kind::kFloat;
  if (type == py.PyUnicode_Type) return Kind::kStr;
  if (type == py.PyBytes_Type) return Kind::kBytes;
  return Kind::kOther;
}

bool IsContainer(PyObject* type) {
  const Api& py = Py();
  return type == py.PyList_Type || type == py.PyTuple_Type || type == py.PyDict_Type;
}

/// The class numpy.bool, once NumPy has made it. A module of another kind may be called numpy, so
/// the class must be one that C made, with NumPy's own names for it. Null if there is none.
Reference FindNumpyBool() {
  PyObject* const modules = Py().PySys_GetObject("modules");
  PyObject* const numpy =
      modules == nullptr ? nullptr : Py().PyDict_GetItemString(modules, "numpy");
  if (numpy == nullptr) return {};
  auto type = Reference::Take(Py().PyObject_GetAttrString(Reference::Share(numpy).get(), "bool_"));
  Py().PyErr_Clear();
  if (!type || !HasFlag(type.get(), kTypeFlag)) return {};
  if ((Py().PyType_GetFlags(type.get()) & kHeapFlag) != 0) return {};
  const std::string name = TextAttribute(type.get(), "__name__");
  const bool is_own = TextAttribute(type.get(), "__module__") == "numpy";
  return is_own && (name == "bool" || name == "bool_") ? std::move(type) : Reference();
}

bool IsNumpyBool(PyObject* type) {
  static std::atomic<PyObject*> known{nullptr};
  if (known != nullptr) return type == known;
  if (IsContainer(type) || (Py().PyType_GetFlags(type) & kHeapFlag) != 0) return false;
  known = FindNumpyBool().get();  // a type made by C stays
  return type == known;
}

}  // namespace

bool IsNumpyArray(PyObject* type) {
  static std::atomic<PyObject*> known{nullptr};
  static std::atomic<PyObject*> refused{nullptr};
  if (known != nullptr) return type == known;
  if (type == refused || (Py().PyType_GetFlags(type) & kHeapFlag) != 0) return false;
  // C made the type, so this runs no Python code.
  const bool is_own =
      TextAttribute(type, "__name__") == "ndarray" && TextAttribute(type, "__module__") == "numpy";
  (is_own ? known : refused) = type;  // a type made by C stays
  return is_own;
}

Kind KindOf(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  const Kind exact = ExactKind(type.get());
  if (exact != Kind::kOther) return exact;
  return IsNumpyBool(type.get()) ? Kind::kBool : Kind::kOther;
}

Kind BaseKindOf(PyObject* object) {
  const Kind exact = KindOf(object);
  if (exact != Kind::kOther) return exact;
  const unsigned long flags = FlagsOf(object);
  if ((flags & kIntFlag) != 0) return Kind::kInt;
  if ((flags & kStrFlag) != 0) return Kind::kStr;
  if ((flags & kBytesFlag) != 0) return Kind::kBytes;
  return Derives(object, Py().PyFloat_Type) ? Kind::kFloat : Kind::kOther;  // float has no flag
}

unsigned long FlagsOf(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return Py().PyType_GetFlags(type.get());
}

bool HasFlag(PyObject* object, unsigned long flag) { return (FlagsOf(object) & flag) != 0; }

bool ClassHas(PyObject* object, const char* name) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return Py().PyObject_HasAttrString(type.get(), name) != 0;
}

bool IsIterable(PyObject* object) {
  constexpr int kGetIter = 62, kSequenceItem = 44;  // slots, whose numbers never change
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return Py().PyType_GetSlot(type.get(), kGetIter) != nullptr ||
         Py().PyType_GetSlot(type.get(), kSequenceItem) != nullptr;
}

bool Derives(PyObject* object, PyObject* base) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return Py().PyType_IsSubtype(type.get(), base) != 0;
}

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
