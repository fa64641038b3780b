#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// import, exec and eval.
void ExportModules(Napi::Object exports);

}  // namespace array_interface
