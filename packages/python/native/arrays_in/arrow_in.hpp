#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The column of an object with `__arrow_c_array__`: an object with the addresses of its two
/// structs, `schema` and `array`, which it keeps. Empty if the object's class has no such method.
/// Throws PythonError, ERR_TYPE. The thread must be attached.
Napi::Value ProduceColumn(Napi::Env env, PyObject* object);

/// readMemory(address, byteLength): a copy of memory of this process, as a Uint8Array. Null if it
/// cannot be read.
Napi::Value ReadMemory(const Napi::CallbackInfo& info);

}  // namespace array_interface
