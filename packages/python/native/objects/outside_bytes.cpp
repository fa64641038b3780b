#include "objects/outside_bytes.hpp"

#include "interpreter/made_once.hpp"
#include "interpreter/reference.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

/// Smaller arrays weigh little more than the PyObject, which V8 knows.
constexpr std::int64_t kLarge = 4096;

void Adjust(napi_env env, std::int64_t by) {
  std::int64_t total = 0;
  napi_adjust_external_memory(env, by, &total);
}

/// An attribute, by a name that Python hashes once. Null, without an exception, if there is none.
Reference Attribute(PyObject* object, MadeOnce& known, const char* text) {
  PyObject* const name =
      known.Get([text] { return Reference::Take(Py().PyUnicode_InternFromString(text)); });
  Reference found;
  if (name != nullptr) found = Reference::Take(Py().PyObject_GetAttr(object, name));
  Py().PyErr_Clear();
  return found;
}

}  // namespace

void OutsideBytes::Add(napi_env env, PyObject* object, std::int64_t size) {
  Counted& counted = objects_[object];
  if (counted.count++ > 0) return;
  counted.size = size;
  Adjust(env, size);
}

void OutsideBytes::Remove(napi_env env, PyObject* object) {
  const auto found = objects_.find(object);
  if (found == objects_.end() || --found->second.count > 0) return;
  const std::int64_t size = found->second.size;
  objects_.erase(found);
  Adjust(env, -size);
}

std::int64_t LargeSizeOf(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  if (!IsNumpyArray(type.get())) return 0;
  static MadeOnce base_name;
  static MadeOnce size_name;
  const Reference base = Attribute(object, base_name, "base");
  if (base.get() != Py().None) return 0;  // a view's memory is its base's
  const Reference size = Attribute(object, size_name, "nbytes");
  if (!size) return 0;
  int overflow = 0;
  const std::int64_t bytes = Py().PyLong_AsLongLongAndOverflow(size.get(), &overflow);
  return bytes >= kLarge ? bytes : 0;
}

}  // namespace array_interface
