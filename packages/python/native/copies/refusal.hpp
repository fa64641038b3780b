#pragma once

#include <string>

#include "interpreter/abi.hpp"
#include "napi/setup.hpp"
#include "values/place.hpp"

namespace array_interface {

// What JavaScript, or JSON, has no value for. The thread must be attached.

/// Throws ERR_TYPE for an object, with the call that reads it.
[[noreturn]] void RefuseObject(Napi::Env env, PyObject* object, const ValuePath& place);

/// Throws ERR_TYPE for a value that JSON lacks.
[[noreturn]] void RefuseJson(Napi::Env env, const ValuePath& place, const std::string& got,
                             const std::string& advice);

/// True for an array or scalar of NumPy with elements of datetime64 or timedelta64, also in the
/// fields of a record. Throws PythonError.
bool HasDatesOfNumpy(Napi::Env env, PyObject* object);

}  // namespace array_interface
