#pragma once

#include <string>

#include "interpreter/abi.hpp"

namespace array_interface {

// The thread must be attached.

/// What crosses to JavaScript by value, besides the constants None, True and False.
enum class Kind { kOther, kBool, kInt, kFloat, kStr, kBytes };

/// The kind of an object whose class is exactly int, float, str, bytes or numpy.bool. An object of
/// a subclass is kOther: JavaScript has no such value.
Kind KindOf(PyObject* object);

/// The same, except that an object of a subclass has the kind of its base.
Kind BaseKindOf(PyObject* object);

/// True if a type is NumPy's `ndarray`, by its own names: `numpy` among the modules may be another
/// module. Runs no code of a program.
bool IsNumpyArray(PyObject* type);

/// PyType_GetFlags of the object's type.
unsigned long FlagsOf(PyObject* object);

/// True if the object's type has one of the flags.
bool HasFlag(PyObject* object, unsigned long flag);

/// True if the object's class, or a class of that, has an attribute. Leaves no exception pending.
bool ClassHas(PyObject* object, const char* name);

/// True if Python's `for` takes the object: its class has `__iter__` or `__getitem__`.
bool IsIterable(PyObject* object);

/// True if the object is of this class or a subclass.
bool Derives(PyObject* object, PyObject* base);

/// An attribute that is text; "?" for any other. Leaves no exception pending.
std::string TextAttribute(PyObject* object, const char* name);

/// The name of the object's class, for messages. Leaves no exception pending.
std::string ClassName(PyObject* object);

}  // namespace array_interface
