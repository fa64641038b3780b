#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds exportCapsule and importCapsule to the exports.
void BindCapsule(Napi::Object exports);

}  // namespace array_interface
