#pragma once

namespace array_interface {

// Python is never finalized, since destructors that libraries run at process exit would use freed
// objects. Instead its exit functions run, its output is flushed, and the thread that ends the
// process stays attached to Python, since destructors of C++ libraries drop Python objects there.

/// Lets Python's executors finish their jobs, runs the functions registered with `atexit`, once
/// each, and flushes the output. The thread must be attached.
void RunExitFunctions();

/// Makes exit() wait for destructors that other threads have begun, run the remaining exit
/// functions, and stay attached. The handler registered last
/// runs first, so call this again after libraries were loaded.
void StayAttachedAtExit();

/// True once exit() has begun: JavaScript must not be called any more.
bool IsEnding();

/// True on the thread that ends the process, once it must not detach any more.
bool StaysAttached();

}  // namespace array_interface
