#pragma once

#include "interpreter/reference.hpp"

namespace array_interface {

/// Has an event loop of asyncio await an object. `done` is called with the task once that has
/// ended, on the loop's thread. Returns a callable that cancels the task, on any thread, without a
/// wait. The loop is one for the process, on a daemon thread of Python's, which the first call
/// starts. Null, with a Python exception set, if that fails. The thread must be attached.
Reference AwaitOnLoop(PyObject* awaitable, PyObject* done);

}  // namespace array_interface
