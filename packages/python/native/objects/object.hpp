#pragma once

#include <memory>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Makes a JavaScript PyObject for a Python object. The thread may be attached, since this runs no
/// user JavaScript.
Napi::Value WrapObject(Napi::Env env, Reference object);

/// How a function gives its result to JavaScript: ToJavaScript, or Wrapped for an object of
/// `raw`.
using Giver = Napi::Value (*)(Napi::Env, PyObject*);

/// A PyObject for any Python object, also for one that crosses by value.
inline Napi::Value Wrapped(Napi::Env env, PyObject* object) {
  return WrapObject(env, Reference::Share(object));
}

/// The hold of a JavaScript PyObject. Null if the value is no PyObject. Throws ERR_DISPOSED.
std::shared_ptr<Hold> UnwrapObject(const Napi::Value& value);

/// Adds the functions over objects to the exports: get, set, call, iterate, …
void ExportObject(Napi::Object exports);

}  // namespace array_interface
