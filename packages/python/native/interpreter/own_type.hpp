#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "interpreter/interpreter.hpp"
#include "interpreter/reference.hpp"
#include "interpreter/type_spec.hpp"

// Instances of types that this addon makes with PyType_FromSpec: a header, whose size differs
// between builds of Python, and a `Body` behind it. The thread must be attached.

namespace array_interface {

/// The `basicsize` of such a type.
template <class Body>
int SizeWith() {
  return static_cast<int>(ThePython()->header_size + sizeof(Body));
}

template <class Body>
Body& BodyOf(PyObject* self) {
  auto* const bytes = reinterpret_cast<std::byte*>(self);
  return *std::launder(reinterpret_cast<Body*>(bytes + ThePython()->header_size));
}

/// Null, with Python's error set, if there is no memory.
template <class Body>
Reference MakeInstance(PyObject* type, Body body) {
  auto object = Reference::Take(Py().PyType_GenericAlloc(type, 0));
  if (!object) return object;
  auto* const bytes = reinterpret_cast<std::byte*>(object.get());
  new (bytes + ThePython()->header_size) Body(std::move(body));
  return object;
}

/// Frees an instance whose body has been destroyed, as a type's `tp_dealloc` ends.
inline void FreeInstance(PyObject* self) {
  const auto type = Reference::Take(Py().PyObject_Type(self));
  reinterpret_cast<void (*)(void*)>(Py().PyType_GetSlot(type.get(), kFree))(self);
  Py().Py_DecRef(type.get());  // the one that the object had
}

}  // namespace array_interface
