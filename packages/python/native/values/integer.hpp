#pragma once

#include <cstdint>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// True if a JavaScript number has the integer exactly, and no other integer rounds to it.
constexpr bool IsSafe(std::int64_t integer) {
  constexpr std::int64_t kLargest = (std::int64_t{1} << 53) - 1;
  return integer >= -kLargest && integer <= kLargest;
}

/// A number if the integer is safe, otherwise a bigint.
Napi::Value Integer(Napi::Env env, std::int64_t integer);

// Converts integers of any size, in both directions. The thread must be attached.

/// Converts a bigint to a new int. Null, with a Python exception set, if there is no memory.
Reference BigintToPython(napi_env env, napi_value bigint);

/// Converts an int to a number if it is a safe integer, otherwise to a bigint. Throws PythonError,
/// and ERR_OVERFLOW for an int that is too large for JavaScript.
Napi::Value IntegerToJavaScript(Napi::Env env, PyObject* integer);

}  // namespace array_interface
