#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds allocateShareable, openShared and the functions of tickets to the exports.
void BindShare(Napi::Object exports);

}  // namespace array_interface
