#pragma once

#include <memory>

#include "arrays/held_array.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Imports the array that an object's `__dlpack__` exports, of version 1 or of an older one. Work
/// on CUDA memory is ordered by the legacy default stream. For oneAPI memory it blocks until the
/// object's queue is idle, since DLPack names none. Throws PythonError, ERR_TYPE, ERR_DISPOSED,
/// ERR_VERSION. The thread must be attached.
std::unique_ptr<HeldArray> FromDLPack(Napi::Env env, PyObject* object);

}  // namespace array_interface
