#pragma once

#include <cstdint>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

// What a producer's dict says, as core reads it. The thread is attached in these.

/// A value of a dict: text, integers of any library, booleans, lists and tuples, None. Anything
/// else is a PyObject, which core refuses by its place. Throws PythonError.
Napi::Value PlainValue(Napi::Env env, PyObject* object);

/// A number, or a bigint where a number is not exact.
Napi::Value Integer(Napi::Env env, std::int64_t integer);

Napi::Value Address(Napi::Env env, std::uint64_t address);

/// A JavaScript object that holds a Python object until it is collected.
Napi::Value KeepObject(Napi::Env env, PyObject* object);

}  // namespace array_interface
