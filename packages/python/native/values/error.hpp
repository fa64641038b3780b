#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Throws Python's pending exception as a PythonError; one that RaiseInPython raised as the
/// JavaScript value that it stands for. The thread is attached.
[[noreturn]] void ThrowPending(Napi::Env env);

/// What a function of Python gave. Throws its exception where it gave nothing.
Reference Checked(Napi::Env env, PyObject* result);
Reference Checked(Napi::Env env, Reference result);

/// Takes Python's pending exception. Null: there is none. The thread is attached.
Reference TakePending();

/// The PythonError, or the JavaScript value, for an exception object. The thread is attached.
Napi::Value ErrorFor(Napi::Env env, PyObject* exception);

/// Raises a JavaScript exception in Python: the exception that a PythonError stands for, or else a
/// `JavaScriptError`, a RuntimeError that ThrowPending knows again; its `stack` is JavaScript's, a
/// str, or None. The thread is attached.
void RaiseInPython(const Napi::Error& error);

}  // namespace array_interface
