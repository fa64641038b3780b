#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Calls of objects and of their methods.
void ExportCall(Napi::Object exports);

}  // namespace array_interface
