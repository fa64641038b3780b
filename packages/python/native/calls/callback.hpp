#pragma once

#include <string>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Makes a Python callable that calls a JavaScript function from any Python thread. It keeps the
/// function until Python drops it. The thread must be attached. `name` is its `__name__`.
Reference MakeCallback(const Napi::Function& function, std::string name);

}  // namespace array_interface
