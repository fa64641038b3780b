#pragma once

#include <string>

#include "interpreter/abi.hpp"

namespace array_interface {

// The thread must be attached.

/// What a Python object becomes in JavaScript, unless it is a constant such as None.
enum class Kind { kOther, kInt, kFloat, kStr, kBytes, kList, kTuple, kDict };

/// Objects of a subclass count as their base type, except arrays and NumPy's scalars, which have
/// `__array_interface__`.
Kind KindOf(PyObject* object);

/// PyType_GetFlags of the object's type.
unsigned long FlagsOf(PyObject* object);

/// True if the object's type has one of the flags.
bool HasFlag(PyObject* object, unsigned long flag);

/// An attribute that is text; "?" for any other. Leaves no exception pending.
std::string TextAttribute(PyObject* object, const char* name);

/// The name of the object's class, for messages. Leaves no exception pending.
std::string ClassName(PyObject* object);

}  // namespace array_interface
