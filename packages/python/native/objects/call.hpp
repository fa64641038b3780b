#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds the functions that call objects and their methods to the exports.
void ExportCall(Napi::Object exports);

}  // namespace array_interface
