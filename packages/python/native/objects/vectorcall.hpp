#pragma once

#include <cstddef>

#include "interpreter/reference.hpp"

namespace array_interface {

// Calls with an array of values, as Python's vectorcall takes them: the positional ones, followed
// by those named in `names`, a tuple or null. Null if the call raised. The thread must be attached.

/// Calls an object.
Reference CallWith(PyObject* callable, PyObject* const* values, std::size_t positional,
                   PyObject* names = nullptr);

/// Calls the method `name` of `values[0]`, which is one of the positional values.
Reference CallMethodWith(PyObject* name, PyObject* const* values, std::size_t positional,
                         PyObject* names = nullptr);

}  // namespace array_interface
