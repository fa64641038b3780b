#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds giveCapsule and takeCapsule to the exports.
void ExportCapsule(Napi::Object exports);

}  // namespace array_interface
