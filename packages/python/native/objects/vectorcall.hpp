#pragma once

#include <cstddef>

#include "interpreter/reference.hpp"

namespace array_interface {

// Calls with values in a row, as Python's vectorcall has them: the positional ones, and behind them
// those of the names, a tuple or null. Null: the call raised. The thread is attached.

/// Calls an object.
Reference CallWith(PyObject* callable, PyObject* const* values, std::size_t positional,
                   PyObject* names = nullptr);

/// Calls the method of `values[0]`, which is one of the positional ones.
Reference CallMethodWith(PyObject* name, PyObject* const* values, std::size_t positional,
                         PyObject* names = nullptr);

}  // namespace array_interface
