#pragma once

#include <cstdint>
#include <optional>

namespace array_interface {

/// What the operating system reports about a range of addresses.
struct PageAccess {
  bool mapped = false;         ///< true if the first byte belongs to a mapping, readable or not
  std::uint64_t readable = 0;  ///< readable bytes, from the first one on
  bool writable = true;        ///< true if every readable byte is writable too
};

/// Queries this process's table of mappings, and touches nothing in the range. Bytes of a file's
/// mapping beyond the end of the file are not readable. Returns nullopt if the system has no such
/// table. Kernels before 6.11 have the table only as text; `asks` = false reads the text.
std::optional<PageAccess> QueryAccess(std::uint64_t address, std::uint64_t length,
                                      bool asks = true);

}  // namespace array_interface
