#pragma once

namespace array_interface {

/// Runs an instruction of Python's that does nothing. What Python does between two, it does then:
/// it raises an asynchronous exception, and drops what is parked for the thread. The thread is
/// attached. False: a Python exception is set.
bool RunInstruction();

}  // namespace array_interface
