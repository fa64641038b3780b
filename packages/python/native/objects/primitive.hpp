#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds `primitive` and `operate` to the exports: what JavaScript's operators see of an object, and
/// Python's operators.
void ExportPrimitive(Napi::Object exports);

}  // namespace array_interface
