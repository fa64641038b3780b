#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The JavaScript value in an exception that RaiseInPython raised in this environment. Empty for
/// any other exception. The thread must be attached.
Napi::Value ThrownValue(Napi::Env env, PyObject* exception);

}  // namespace array_interface
