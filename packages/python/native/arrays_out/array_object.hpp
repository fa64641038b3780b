#pragma once

#include "napi/setup.hpp"

namespace array_interface {

/// toPython: a Python object for a JavaScript array.
void ExportArrayObject(Napi::Object exports);

}  // namespace array_interface
