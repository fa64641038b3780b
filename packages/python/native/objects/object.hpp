#pragma once

#include <memory>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A JavaScript PyObject for a Python object. The thread may be attached: no JavaScript of users
/// runs.
Napi::Value WrapObject(Napi::Env env, Reference object);

/// The hold of a JavaScript PyObject. Null: the value is no PyObject. Throws ERR_DISPOSED.
std::shared_ptr<Hold> UnwrapObject(const Napi::Value& value);

/// The functions over objects: get, set, call, iterate, …
void ExportObject(Napi::Object exports);

}  // namespace array_interface
