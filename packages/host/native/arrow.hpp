#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds importColumn and exportColumn to the exports.
void BindArrow(Napi::Object exports);

}  // namespace array_interface
