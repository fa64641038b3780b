#pragma once

#include <memory>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// As UnwrapObject, and throws ERR_TYPE for anything else.
std::shared_ptr<Hold> NeedObject(const Napi::Value& value);

/// Takes a PyObject's reference away. False: it was disposed already, or is no PyObject.
bool DropObject(const Napi::Value& value);

}  // namespace array_interface
