#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capsule/abi.hpp"

namespace array_interface {

/// The type of one element.
struct Element {
  DLDataType dtype;
  std::string typestr;  ///< empty if `dtype` describes it
  std::int64_t size;    ///< in bytes
};

/// The element of a typestr. Returns nullopt for a record, and for a typestr that core must read,
/// or refuse with its own message.
std::optional<Element> ElementOf(std::string_view typestr);

/// Bytes of an element, the last of which may be used in part.
inline std::int64_t ItemsizeOf(const DLDataType& dtype) {
  return (std::int64_t{dtype.bits} * dtype.lanes + 7) / 8;
}

/// The typestr of an element that has a DLPack code: `<f4`. Opaque bytes (`|V2`) if NumPy has no
/// such number.
std::string TypestrOf(const DLDataType& dtype);

/// PEP 3118's format of a typestr, as NumPy writes it: `f`, `>d`, `5s`. Empty if there is none: for
/// dates, and for opaque bytes, whose `5x` NumPy would read as a record without fields.
std::string FormatOf(const std::string& typestr);

/// The typestr of a buffer's format, as Python's `struct` and PEP 3118 write it. Other formats
/// (records, pointers) become bytes. Empty for references to Python objects.
std::string TypestrOfFormat(std::string_view format, std::size_t size);

}  // namespace array_interface
