#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds allocateShareable, openShared and the functions of tickets to the exports.
void ExportShare(Napi::Object exports);

}  // namespace array_interface
