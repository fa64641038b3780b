#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// Adds toPython to the exports, which makes a Python object for a JavaScript array.
void ExportArrayObject(Napi::Object exports);

}  // namespace array_interface
