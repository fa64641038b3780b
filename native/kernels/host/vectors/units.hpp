#pragma once

#include <cstdint>
#include <cstring>

namespace array_interface {

/// Sixteen opaque bytes.
struct Unit16 {
  std::uint64_t low;
  std::uint64_t high;
};

/// Whether there is a type of this many bytes.
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

/// Copies one unit. Neither address needs to be aligned.
template <typename Unit>
inline void move(unsigned char* to, const unsigned char* from) {
  Unit value;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled at once
  std::memcpy(&value, from, sizeof value);
  std::memcpy(to, &value, sizeof value);
}

/// Copies units that are `from_stride` bytes apart to positions `to_stride` bytes apart. Handles
/// four at a time, so that their address computations do not depend on one another.
template <typename Unit>
inline void move_units(unsigned char* to, std::int64_t to_stride, const unsigned char* from,
                       std::int64_t from_stride, std::int64_t count) {
  for (; count >= 4; count -= 4) {
    move<Unit>(to, from);
    move<Unit>(to + to_stride, from + from_stride);
    move<Unit>(to + 2 * to_stride, from + 2 * from_stride);
    move<Unit>(to + 3 * to_stride, from + 3 * from_stride);
    to += 4 * to_stride;
    from += 4 * from_stride;
  }
  for (; count > 0; --count) {
    move<Unit>(to, from);
    to += to_stride;
    from += from_stride;
  }
}

}  // namespace array_interface
