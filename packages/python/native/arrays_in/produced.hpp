#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// What a Python object says of its array: its interfaces' dicts, a capsule of its `__dlpack__`.
void ExportProduced(Napi::Object exports);

}  // namespace array_interface
