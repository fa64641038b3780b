#pragma once

#include "interpreter/reference.hpp"

namespace array_interface {

/// Runs Python code of this addon's own in a namespace of its own, and returns what `name` is
/// there. Null, with Python's error set, if that fails. For use in MadeOnce: a free-threaded Python
/// keeps the constants of every code object.
Reference OwnCode(const char* code, const char* name);

}  // namespace array_interface
