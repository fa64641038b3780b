#pragma once

namespace array_interface {

// Python is never finalized: what libraries destroy at the end of a process would then use what is
// gone. Instead its exit functions run, its output is flushed, and the thread that ends the process
// stays attached to Python, since destructors of C++ libraries drop Python's objects there.

/// Runs the functions that Python's `atexit` has, once each, and flushes its output. The thread is
/// attached.
void RunExitFunctions();

/// Makes exit() run the exit functions that are left, and stay attached. What is registered last
/// runs first, so that this is called again after libraries were loaded.
void StayAttachedAtExit();

/// Whether exit() has begun: JavaScript is not to be called any more.
bool IsEnding();

}  // namespace array_interface
