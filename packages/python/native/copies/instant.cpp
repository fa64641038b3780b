#include "copies/instant.hpp"

#include "interpreter/import_own.hpp"

namespace array_interface {

namespace {

Reference Attribute(PyObject* object, const char* name) {
  return Reference::Take(object == nullptr ? nullptr : Py().PyObject_GetAttrString(object, name));
}

/// `datetime.timezone.utc`.
Reference Utc(PyObject* module) { return Attribute(Attribute(module, "timezone").get(), "utc"); }

/// 1970-01-01 in UTC.
Reference Epoch(PyObject* module) {
  const auto utc = Utc(module);
  if (!utc) return {};
  constexpr int kYear = 1970, kFirst = 1, kZero = 0;
  return Reference::Take(Py().PyObject_CallMethod(module, "datetime", "(iiiiiiiO)", kYear, kFirst,
                                                  kFirst, kZero, kZero, kZero, kZero, utc.get()));
}

/// `datetime.timedelta(milliseconds=milliseconds)`.
Reference Span(PyObject* module, double milliseconds) {
  constexpr int kZero = 0;
  return Reference::Take(Py().PyObject_CallMethod(module, "timedelta", "(iiiL)", kZero, kZero,
                                                  kZero, static_cast<long long>(milliseconds)));
}

/// Calls a function of the module `_operator`.
Reference Operate(const char* name, const Reference& left, const Reference& right) {
  const auto module = ImportOwn("_operator");
  if (!module || !left || !right) return {};
  return Reference::Take(
      Py().PyObject_CallMethod(module.get(), name, "(OO)", left.get(), right.get()));
}

}  // namespace

bool IsOfDatetime(PyObject* object, const char* class_name) {
  PyObject* const modules = Py().PySys_GetObject("modules");
  PyObject* const module =
      modules == nullptr ? nullptr : Py().PyDict_GetItemString(modules, "datetime");
  const auto type = Attribute(Reference::Share(module).get(), class_name);
  const bool is_one = type && Py().PyObject_IsInstance(object, type.get()) == 1;
  Py().PyErr_Clear();  // another module may have the name
  return is_one;
}

std::optional<Reference> MillisecondsOf(PyObject* datetime) {
  const auto offset = Reference::Take(Py().PyObject_CallMethod(datetime, "utcoffset", nullptr));
  if (!offset) return Reference();
  if (offset.get() == Py().None) return std::nullopt;
  const auto module = ImportOwn("datetime");
  const auto since = Operate("sub", Reference::Share(datetime), Epoch(module.get()));
  auto count = Operate("floordiv", since, Span(module.get(), 1));
  // pandas.NaT is a datetime, and its distance from the epoch no integer.
  if (count && Py().PyIndex_Check(count.get()) == 0) return std::nullopt;
  return count;
}

Reference InstantInUtc(double milliseconds) {
  const auto module = ImportOwn("datetime");
  return Operate("add", Epoch(module.get()), Span(module.get(), milliseconds));
}

}  // namespace array_interface
