#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds `construct` to the exports, which calls a built-in class.
void ExportConstructors(Napi::Object exports);

}  // namespace array_interface
