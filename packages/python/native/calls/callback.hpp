#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Makes a Python callable that calls a JavaScript function from any Python thread. It keeps the
/// function until Python drops it. The thread must be attached.
Reference MakeCallback(const Napi::Function& function);

}  // namespace array_interface
