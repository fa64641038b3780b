#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A name of an attribute or an argument as a str, interned if it is short. The thread is attached.
/// Throws ERR_TYPE for what is no string, PythonError.
Reference NameToPython(const Napi::Value& name);

}  // namespace array_interface
