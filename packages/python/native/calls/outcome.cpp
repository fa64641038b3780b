#include "calls/outcome.hpp"

#include "interpreter/releases.hpp"
#include "values/error.hpp"

namespace array_interface {

Outcome Outcome::Take(PyObject* result) {
  if (result != nullptr) return {result, false};
  return {TakePending().Give(), true};
}

Outcome::~Outcome() {
  if (object_ != nullptr) ReleaseLater(object_);
}

PyObject* Outcome::Give() {
  auto object = Reference::Take(std::exchange(object_, nullptr));
  if (!is_exception_ && object) return object.Give();
  if (!object) {
    Py().PyErr_SetString(*Py().PyExc_RuntimeError, "a function failed and raised no exception");
    return nullptr;
  }
  const auto type = Reference::Take(Py().PyObject_Type(object.get()));
  Py().PyErr_SetObject(type.get(), object.get());
  return nullptr;
}

}  // namespace array_interface
