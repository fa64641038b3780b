#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// runAsync, and its cancelling.
void ExportRunAsync(Napi::Object exports);

}  // namespace array_interface
