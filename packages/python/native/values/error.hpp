#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Throws Python's pending exception: as a PythonError, or as the JavaScript value that
/// RaiseInPython raised. The thread must be attached.
[[noreturn]] void ThrowPending(Napi::Env env);

/// Takes over the result of a Python function. Throws the pending exception if it is null.
Reference Checked(Napi::Env env, PyObject* result);
Reference Checked(Napi::Env env, Reference result);

/// Takes over an attribute. Null if there is none, that is, if AttributeError is pending. Throws
/// any other pending exception.
Reference IfPresent(Napi::Env env, PyObject* attribute);

/// Takes Python's pending exception. Null if there is none. The thread must be attached.
Reference TakePending();

/// The PythonError, or the JavaScript value, of an exception object. The thread must be attached.
Napi::Value ErrorFor(Napi::Env env, PyObject* exception);

/// Raises a JavaScript exception in Python. A PythonError becomes the exception that it wraps.
/// Anything else becomes a `JavaScriptError`, a RuntimeError that ThrowPending recognises. Its
/// `stack` is JavaScript's, a str, or None. The thread must be attached.
void RaiseInPython(const Napi::Error& error);

}  // namespace array_interface
