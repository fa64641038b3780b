#pragma once

#include "interpreter/reference.hpp"

namespace array_interface {

/// Lets tracebacks and Python's `inspect` show the source of a code object, for as long as anything
/// of it can run. Returns false, with Python's error set, if that fails. The thread must be
/// attached.
bool KeepSource(PyObject* filename, PyObject* text, PyObject* code);

}  // namespace array_interface
