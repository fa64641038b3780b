#pragma once

#include <string>

#include "interpreter/abi.hpp"

namespace array_interface {

// The thread is attached.

/// What a Python object is in JavaScript, where it is no constant such as None.
enum class Kind { kOther, kInt, kFloat, kStr, kBytes, kList, kTuple, kDict };

/// Objects of a subclass count as what they derive from, but for arrays and NumPy's scalars, which
/// have `__array_interface__`.
Kind KindOf(PyObject* object);

/// Whether the object's type has one of the flags.
bool HasFlag(PyObject* object, unsigned long flag);

/// The name of the object's class, for messages. No exception is pending afterwards.
std::string ClassName(PyObject* object);

}  // namespace array_interface
