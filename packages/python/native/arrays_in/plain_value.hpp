#pragma once

#include <cstdint>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

// Values of a producer's dict, as core reads them. The thread must be attached in these.

/// Converts a value of a dict: text, integers of any library, booleans, lists and tuples, None.
/// Anything else becomes a PyObject, which core refuses, with its path. Throws PythonError.
Napi::Value PlainValue(Napi::Env env, PyObject* object);

Napi::Value Address(Napi::Env env, std::uint64_t address);

/// A JavaScript object that keeps a Python object until it is collected.
Napi::Value KeepObject(Napi::Env env, PyObject* object);

}  // namespace array_interface
