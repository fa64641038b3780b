#pragma once

#include <cstdint>
#include <cstring>

namespace array_interface {

/// Sixteen bytes, of any meaning.
struct Unit16 {
  std::uint64_t low;
  std::uint64_t high;
};

/// Whether there is a type of so many bytes.
inline bool is_unit(std::uint32_t bytes) { return bytes <= 16 && (bytes & (bytes - 1)) == 0; }

/// Calls `work` with a value of the type that is `unit` (1, 2, 4, 8 or 16) bytes long.
template <typename Work>
inline void with_unit(std::uint32_t unit, Work&& work) {
  switch (unit) {
    case 1:
      return work(std::uint8_t{});
    case 2:
      return work(std::uint16_t{});
    case 4:
      return work(std::uint32_t{});
    case 8:
      return work(std::uint64_t{});
    default:
      return work(Unit16{});
  }
}

/// One unit from any address to any other.
template <typename Unit>
inline void move(unsigned char* to, const unsigned char* from) {
  Unit value;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled at once
  std::memcpy(&value, from, sizeof value);
  std::memcpy(to, &value, sizeof value);
}

}  // namespace array_interface
