#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"
#include "values/place.hpp"

namespace array_interface {

/// Of an array that crosses, either way. V8 ends the process for one of twice as many.
constexpr std::size_t kMostElements = std::size_t{1} << 26;

// The thread is attached in all of these. Where an object of JavaScript's is read, which may run
// JavaScript, it is detached meanwhile.

/// How far ToJavaScript goes.
enum class Depth {
  kPlain,  ///< what is no plain value becomes a PyObject
  kWhole,  ///< sets, mappings, arrays and iterables are values too, and the rest is ERR_TYPE
};

/// A Python object as a JavaScript value: None, bool, int, float, str, bytes, list, tuple and dict
/// by value, subclasses included; anything else as a PyObject. A subclass that has
/// `__array_interface__`, such as numpy.float64, stays a PyObject. Throws PythonError, ERR_TYPE,
/// ERR_OVERFLOW.
Napi::Value ToJavaScript(Napi::Env env, PyObject* object, Depth depth = Depth::kPlain);

/// A JavaScript value as a new Python object: null, undefined, booleans, numbers, bigints, strings,
/// bytes, arrays, plain objects, Maps, Sets and functions by value, a PyObject as what it stands
/// for. Throws ERR_TYPE, ERR_DISPOSED, PythonError. `place` is the path of the value.
Reference ToPython(const Napi::Value& value, const ValuePath& place = ValuePath());

/// The same, where arrays are tuples, as keys have to be.
Reference ToPythonKey(const Napi::Value& value, const ValuePath& place = ValuePath());

}  // namespace array_interface
