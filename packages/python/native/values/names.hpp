#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Converts the name of an attribute or argument to a str, interned if it is short. The thread must
/// be attached. Throws ERR_TYPE if it is not a string, and PythonError.
Reference NameToPython(const Napi::Value& name);

}  // namespace array_interface
