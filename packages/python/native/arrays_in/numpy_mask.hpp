#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Sets `mask` in the dict of a masked array of NumPy's, which says nothing of it: true where an
/// element is valid. It is a copy, since NumPy's own mask is true where none is. Does nothing for
/// any other object, and for an array that masks nothing. Throws PythonError, and ERR_MASK if
/// single fields of records are masked. The thread must be attached.
void AddMaskOfNumpy(Napi::Env env, PyObject* object, PyObject* dict);

}  // namespace array_interface
