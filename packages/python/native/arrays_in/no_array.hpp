#pragma once

#include <string>

#include "interpreter/reference.hpp"

namespace array_interface {

// For objects that export no array themselves. The thread must be attached. Neither leaves an
// exception pending.

/// The array of NumPy that an object's `__array__` returns over the same memory. Null if it has no
/// such method, or if that would have to copy.
Reference ArrayInPlace(PyObject* object);

/// What to do instead, as an error says it: `pass what its to_numpy() returns`.
std::string WayToArray(PyObject* object);

}  // namespace array_interface
