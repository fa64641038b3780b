#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds produce and capsule to the exports. They read a Python object's interface dicts, its
/// `__dlpack__` and its buffer.
void ExportProduced(Napi::Object exports);

}  // namespace array_interface
