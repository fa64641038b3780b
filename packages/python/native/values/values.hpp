#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"
#include "values/place.hpp"

namespace array_interface {

/// Maximum number of elements of a converted array, in either direction. V8 ends the process at
/// twice as many.
constexpr std::size_t kMostElements = std::size_t{1} << 26;

// The thread must be attached in all of these. It is detached while a JavaScript object is read,
// since reading may run JavaScript.

/// How much ToJavaScript converts.
enum class Depth {
  kPlain,  ///< anything but a plain value becomes a PyObject
  kWhole,  ///< sets, mappings, arrays and iterables are values too, and the rest is ERR_TYPE
};

/// Converts a Python object to a JavaScript value. None, bool, int, float, str, bytes, list, tuple
/// and dict are converted by value, subclasses included; anything else becomes a PyObject. A
/// subclass that has `__array_interface__`, such as numpy.float64, stays a PyObject. Throws
/// PythonError, ERR_TYPE, ERR_OVERFLOW.
Napi::Value ToJavaScript(Napi::Env env, PyObject* object, Depth depth = Depth::kPlain);

/// Converts a JavaScript value to a new Python object. null, undefined, booleans, numbers, bigints,
/// strings, bytes, arrays, plain objects, Maps, Sets and functions are converted by value; a
/// PyObject becomes the object that it wraps. Throws ERR_TYPE, ERR_DISPOSED, PythonError. `place`
/// is the path of the value.
Reference ToPython(const Napi::Value& value, const ValuePath& place = ValuePath());

/// The same, except that arrays become tuples, as keys require.
Reference ToPythonKey(const Napi::Value& value, const ValuePath& place = ValuePath());

}  // namespace array_interface
