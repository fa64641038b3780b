#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "capsule/abi.hpp"

namespace array_interface {

/// What one element of a capsule is.
struct Element {
  DLDataType dtype;
  std::string typestr;  ///< empty where `dtype` says it
  std::int64_t size;    ///< bytes
};

/// The element of a typestr. None: a record, or one that only core reads, and refuses in its words.
std::optional<Element> ElementOf(std::string_view typestr);

/// The typestr of one of DLPack's numbers. Empty: it has none.
std::string TypestrOf(DLDataType dtype);

/// The typestr of a buffer's format, as Python's `struct` and PEP 3118 write it. What they write
/// otherwise (records, pointers) is bytes. Empty: references to Python objects.
std::string TypestrOfFormat(std::string_view format, std::size_t size);

}  // namespace array_interface
