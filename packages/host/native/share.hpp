#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Puts allocateShareable and openShared on the exports.
void ExportShare(Napi::Object exports);

}  // namespace array_interface
