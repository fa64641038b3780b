#pragma once

#include <chrono>

namespace array_interface {

/// How long a Python thread waits for a JavaScript thread that stays inside one call of Python.
/// That call may be waiting for this very thread, which cannot be told from a call that just takes
/// long. The default of 5 s is longer than most calls for which a program blocks its event loop,
/// and shorter than people wait before they look for a bug. ARRAY_INTERFACE_PYTHON_TIMEOUT, in
/// seconds, overrides it.
std::chrono::duration<double> Timeout();

}  // namespace array_interface
