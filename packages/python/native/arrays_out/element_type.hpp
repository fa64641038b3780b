#pragma once

#include <string>

#include "dlpack.h"

namespace array_interface {

/// The typestr of an element that has a DLPack code: `<f4`. Opaque bytes (`|V2`) if NumPy has no
/// such number.
std::string TypestrOf(const DLDataType& dtype);

/// PEP 3118's format of a typestr, as NumPy writes it: `f`, `>d`, `5s`. Empty if there is none: for
/// dates, and for opaque bytes, whose `5x` NumPy would read as a record without fields.
std::string FormatOf(const std::string& typestr);

}  // namespace array_interface
