#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"
#include "values/kind.hpp"
#include "values/place.hpp"

namespace array_interface {

/// Maximum number of elements of a converted array, in either direction. V8 ends the process at
/// twice as many.
constexpr std::size_t kMostElements = std::size_t{1} << 26;

// The thread must be attached in all of these. It is detached while a JavaScript object is read,
// since reading may run JavaScript.

/// Converts a Python object to a JavaScript value. None, bool, and objects whose class is exactly
/// int, float, str, bytes or numpy.bool are converted by value; anything else becomes a PyObject.
/// Throws PythonError, ERR_OVERFLOW.
Napi::Value ToJavaScript(Napi::Env env, PyObject* object);

/// The value of None, a bool, or an object of the kind. Empty for Kind::kOther.
Napi::Value PlainToJavaScript(Napi::Env env, PyObject* object, Kind kind);

/// A copy of a bytes object, as a Uint8Array.
Napi::Value BytesToJavaScript(Napi::Env env, PyObject* bytes);

/// Converts a JavaScript value to a new Python object. null, undefined, booleans, numbers, bigints,
/// strings, bytes, arrays, plain objects, Maps, Sets and functions are converted by value; a
/// PyObject becomes the object that it wraps. An array is a list, and a tuple as the key of a Map
/// or a member of a Set. Throws ERR_TYPE, ERR_DISPOSED, PythonError. `place` is the value's path.
Reference ToPython(const Napi::Value& value, const ValuePath& place = ValuePath());

}  // namespace array_interface
