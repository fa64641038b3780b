#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds runAsync and its cancellation to the exports.
void ExportRunAsync(Napi::Object exports);

}  // namespace array_interface
