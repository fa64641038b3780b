#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

// Converts integers of any size, in both directions. The thread must be attached.

/// Converts a bigint to a new int. Null, with a Python exception set, if there is no memory.
Reference BigintToPython(napi_env env, napi_value bigint);

/// Converts an int to a number if it is a safe integer, otherwise to a bigint. Throws PythonError,
/// and ERR_OVERFLOW for an int that is too large for JavaScript.
Napi::Value IntegerToJavaScript(Napi::Env env, PyObject* integer);

}  // namespace array_interface
