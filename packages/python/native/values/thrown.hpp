#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The JavaScript value that an exception carries, which RaiseInPython raised in this environment.
/// Empty for any other. The thread is attached.
Napi::Value ThrownValue(Napi::Env env, PyObject* exception);

}  // namespace array_interface
