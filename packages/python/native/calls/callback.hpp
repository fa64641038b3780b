#pragma once

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// A Python callable that calls a JavaScript function, from any thread of Python's. It keeps the
/// function until Python drops it. The thread is attached.
Reference MakeCallback(const Napi::Function& function);

}  // namespace array_interface
