#pragma once

#include <memory>

#include "arrays_in/held_array.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Takes the array that an object's `__dlpack__` gives: of version 1, or as older producers have
/// it. Work on CUDA memory is ordered by the legacy default stream. For oneAPI's memory it waits
/// until the object's queue is idle, since DLPack names none. Throws PythonError, ERR_TYPE,
/// ERR_DISPOSED, ERR_VERSION. The thread is attached.
std::unique_ptr<HeldArray> FromDLPack(Napi::Env env, PyObject* object);

}  // namespace array_interface
