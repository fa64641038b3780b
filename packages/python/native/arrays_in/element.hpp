#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capsule/abi.hpp"

namespace array_interface {

/// The type of one element in a capsule.
struct Element {
  DLDataType dtype;
  std::string typestr;  ///< empty if `dtype` describes it
  std::int64_t size;    ///< in bytes
};

/// The element of a typestr. Returns nullopt for a record, and for a typestr that core must read,
/// or refuse with its own message.
std::optional<Element> ElementOf(std::string_view typestr);

/// The typestr of one of DLPack's numbers. Empty if it has none.
std::string TypestrOf(DLDataType dtype);

/// The typestr of a buffer's format, as Python's `struct` and PEP 3118 write it. Other formats
/// (records, pointers) become bytes. Empty for references to Python objects.
std::string TypestrOfFormat(std::string_view format, std::size_t size);

}  // namespace array_interface
