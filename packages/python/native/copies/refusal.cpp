#include "copies/refusal.hpp"

#include "copies/instant.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

bool IsTime(PyObject* object) {
  return IsOfDatetime(object, "date") || IsOfDatetime(object, "time") ||
         IsOfDatetime(object, "timedelta");  // a datetime is a date
}

const char* AdviceFor(PyObject* object) {
  if (IsTime(object)) {
    return "give it a zone with replace(tzinfo=…), or read isoformat() or total_seconds()";
  }
  if (ClassHas(object, "to_dict"))
    return "call its to_dict('list'), or what its library has for it";
  if (ClassHas(object, "keys")) return "pass python.dict(object)";
  if (ClassHas(object, "__await__")) return "await it";
  if (ClassHas(object, "__aiter__")) return "read it with for await";
  if (Derives(object, Py().PyComplex_Type)) return "read real and imag";
  if (ClassHas(object, "__array_interface__")) return "read it with astype or item";
  if (ClassHas(object, "__float__"))
    return "Number(python.float(object)) rounds it, String does not";
  return "use get and call";
}

/// True if a dtype has dates, itself or in a field.
bool HasDates(Napi::Env env, PyObject* dtype) {
  const Reference base = Checked(env, Py().PyObject_GetAttrString(dtype, "base"));
  const std::string kind = TextAttribute(base.get(), "kind");
  if (kind == "m" || kind == "M") return true;
  const Reference names = Checked(env, Py().PyObject_GetAttrString(base.get(), "names"));
  if (!HasFlag(names.get(), kTupleFlag)) return false;
  for (Py_ssize_t i = 0; i < Py().PyTuple_Size(names.get()); i++) {
    PyObject* const name = Py().PyTuple_GetItem(names.get(), i);
    const Reference field = Checked(env, Py().PyObject_GetItem(base.get(), name));
    if (HasDates(env, field.get())) return true;
  }
  return false;
}

}  // namespace

void RefuseObject(Napi::Env env, PyObject* object, const ValuePath& place) {
  Refuse(env, place,
         "expected a value that JavaScript can represent, got an object of the class " +
             ClassName(object) + "; " + AdviceFor(object));
}

void RefuseJson(Napi::Env env, const ValuePath& place, const std::string& got,
                const std::string& advice) {
  Refuse(env, place, "expected a value that JSON has, got " + got + "; " + advice);
}

bool HasDatesOfNumpy(Napi::Env env, PyObject* object) {
  if (!ClassHas(object, "__array_interface__")) return false;
  const Reference dtype = IfPresent(env, Py().PyObject_GetAttrString(object, "dtype"));
  if (!dtype || !ClassHas(dtype.get(), "base")) return false;
  return HasDates(env, dtype.get());
}

}  // namespace array_interface
