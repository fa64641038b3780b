#pragma once

#include <chrono>

namespace array_interface {

/// How long a thread of Python's waits for a JavaScript thread that is inside one call of Python's
/// all the while. That call may wait for this very thread, which nothing can tell from one that
/// just takes long. 5 s is longer than most calls that a program lets its event loop wait for, and
/// shorter than people wait before they look for a fault. ARRAY_INTERFACE_PYTHON_TIMEOUT, in
/// seconds, is another.
std::chrono::duration<double> Timeout();

}  // namespace array_interface
