#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds import, exec and eval to the exports.
void ExportModules(Napi::Object exports);

}  // namespace array_interface
