#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

// Integers of any size, both ways. The thread is attached.

/// A bigint as a new int; null, with a Python exception set, where memory is short.
Reference BigintToPython(napi_env env, napi_value bigint);

/// An int as a number if it is a safe integer, else as a bigint. Throws PythonError, or
/// ERR_OVERFLOW for one that is too large for JavaScript.
Napi::Value IntegerToJavaScript(Napi::Env env, PyObject* integer);

}  // namespace array_interface
