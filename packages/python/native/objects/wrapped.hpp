#pragma once

#include <memory>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Like UnwrapObject, but throws ERR_TYPE for any other value.
std::shared_ptr<Hold> NeedObject(const Napi::Value& value);

/// Drops a PyObject's reference. False if it was disposed already, or if the value is no PyObject.
bool DropObject(const Napi::Value& value);

}  // namespace array_interface
