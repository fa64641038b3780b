#pragma once

namespace array_interface {

/// Runs a Python instruction that does nothing. Python then does what it does between two
/// instructions: it raises an asynchronous exception, and drops objects parked for the thread. The
/// thread must be attached. False if a Python exception is set.
bool RunInstruction();

}  // namespace array_interface
