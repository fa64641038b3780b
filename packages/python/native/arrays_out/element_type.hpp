#pragma once

#include <string>

#include "dlpack.h"

namespace array_interface {

/// The typestr of an element that DLPack has a code for: `<f4`; opaque bytes (`|V2`) where NumPy
/// has no such number.
std::string TypestrOf(const DLDataType& dtype);

/// What PEP 3118 writes for a typestr, as NumPy does: `f`, `>d`, `5s`. Empty where it has nothing:
/// for dates, and for opaque bytes, whose `5x` NumPy would read as a record without fields.
std::string FormatOf(const std::string& typestr);

}  // namespace array_interface
