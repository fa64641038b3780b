#pragma once

#include <cstdint>
#include <optional>

namespace array_interface {

/// What the operating system says about a range of addresses.
struct Access {
  bool mapped = false;         ///< whether the first byte belongs to a mapping, readable or not
  std::uint64_t readable = 0;  ///< bytes from the first one on that can be read
  bool writable = true;        ///< whether every readable byte can be written too
};

/// Looks into this process's table of mappings; touches nothing of the range. Bytes that a mapping
/// of a file has beyond the file's end are not readable. Nothing where the system has no table.
/// Kernels before 6.11 have the table as text only, which is what `asks` = false reads.
std::optional<Access> LookAt(std::uint64_t address, std::uint64_t length, bool asks = true);

}  // namespace array_interface
