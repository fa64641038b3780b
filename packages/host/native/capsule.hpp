#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Puts giveCapsule and takeCapsule on the exports.
void ExportCapsule(Napi::Object exports);

}  // namespace array_interface
