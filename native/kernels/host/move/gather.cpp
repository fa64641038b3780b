#include "kernels/host/move/gather.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/host/move/turn.hpp"
#include "kernels/host/vectors/units.hpp"
#include "kernels/host/vectors/wide_vectors.hpp"

namespace array_interface {
namespace {

/// Moves rows of `size` bytes, a compile-time constant.
template <std::size_t size>
inline void move_rows(const Reading& reading, unsigned char* to, const unsigned char* from) {
  for (const Reading::Start& start : reading.starts) {
    std::memcpy(to + start.to, from + start.from, size);
  }
}

/// Moves rows of one to two parts' length, as two parts that overlap.
template <typename Part>
inline void move_parts(const Reading& reading, std::size_t size, unsigned char* to,
                       const unsigned char* from) {
  const std::size_t second = size - sizeof(Part);
  for (const Reading::Start& start : reading.starts) {
    move<Part>(to + start.to, from + start.from);
    move<Part>(to + start.to + second, from + start.from + second);
  }
}

/// Moves rows, each contiguous and forwards.
template <typename Unit>
inline void gather_runs(const Reading& reading, unsigned char* to, const unsigned char* from) {
  const std::size_t size = static_cast<std::size_t>(reading.length) * sizeof(Unit);
  if (size == sizeof(Unit)) return move_rows<sizeof(Unit)>(reading, to, from);
  if (size == 3) return move_rows<3>(reading, to, from);
  if (size <= 4) return move_parts<std::uint16_t>(reading, size, to, from);
  if (size <= 8) return move_parts<std::uint32_t>(reading, size, to, from);
  if (size <= 16) return move_parts<std::uint64_t>(reading, size, to, from);
  if (size <= 32) return move_parts<Unit16>(reading, size, to, from);
  for (const Reading::Start& start : reading.starts) {
    std::memcpy(to + start.to, from + start.from, size);
  }
}

/// Moves rows of units `step` apart, a compile-time constant: repeated, backwards, every second.
template <typename Unit, std::int64_t step>
inline void gather_steps(const Reading& reading, unsigned char* __restrict to,
                         const unsigned char* __restrict from) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  const std::int64_t length = reading.length;
  for (const auto [start, first] : reading.starts) {
    for (std::int64_t index = 0; index < length; ++index) {
      move<Unit>(to + start + index * size, from + first + index * step * size);
    }
  }
}

/// Moves rows of any stride.
template <typename Unit>
inline void gather_strided(const Reading& reading, unsigned char* to, const unsigned char* from) {
  for (const auto [start, first] : reading.starts) {
    move_units<Unit>(to + start, sizeof(Unit), from + first, reading.stride, reading.length);
  }
}

/// fetch_ahead() for rows. The hardware prefetcher handles long ones.
[[gnu::always_inline]] inline void fetch_rows(const Reading& reading, std::int64_t unit,
                                              const unsigned char* from) {
  constexpr std::int64_t line_bytes = 64;
  constexpr std::int64_t long_row = 1024;
  const std::int64_t stride = std::abs(reading.stride);
  const std::int64_t size = reading.length * std::max(stride, unit);
  if (stride == 0 || (size > long_row && stride < line_bytes)) return;
  const std::int64_t step = std::max(line_bytes, stride);
  const std::int64_t low = reading.stride < 0 ? unit - size : 0;
  for (const Reading::Start& start : reading.starts) {
    for (std::int64_t offset = 0; offset < size; offset += step) {
      __builtin_prefetch(from + start.from + low + offset, 0, 2);
    }
  }
}

template <typename Unit>
inline void gather_rows(const Reading& reading, unsigned char* to, const unsigned char* from,
                        std::int64_t ahead) {
  if (ahead != 0) fetch_rows(reading, sizeof(Unit), from + ahead);
  if (reading.loop == Loop::kRuns) return gather_runs<Unit>(reading, to, from);
  if (reading.loop == Loop::kBackwards) return gather_steps<Unit, -1>(reading, to, from);
  if (reading.loop == Loop::kRepeated) return gather_steps<Unit, 0>(reading, to, from);
  if (reading.loop == Loop::kEverySecond) return gather_steps<Unit, 2>(reading, to, from);
  if (reading.loop == Loop::kEverySecondBackwards) {
    return gather_steps<Unit, -2>(reading, to, from);
  }
  gather_strided<Unit>(reading, to, from);
}

template <typename Unit, bool is_wide>
inline void gather_units(const Reading& reading, unsigned char* to, const unsigned char* from,
                         std::int64_t ahead) {
  if (reading.is_turned()) return turn<Unit, is_wide>(reading, to, from, ahead);
  gather_rows<Unit>(reading, to, from, ahead);
}

void gather_plain(const Reading& reading, unsigned char* to, const unsigned char* from,
                  std::int64_t ahead) {
  with_unit(reading.unit,
            [&](auto zero) { gather_units<decltype(zero), false>(reading, to, from, ahead); });
}

FOR_WIDE_VECTORS void gather_wide(const Reading& reading, unsigned char* to,
                                  const unsigned char* from, std::int64_t ahead) {
  with_unit(reading.unit,
            [&](auto zero) { gather_units<decltype(zero), true>(reading, to, from, ahead); });
}

}  // namespace

void gather(const Reading& reading, unsigned char* to, const unsigned char* from,
            std::int64_t ahead) {
  static const auto chosen = has_wide_vectors() ? gather_wide : gather_plain;
  chosen(reading, to, from, ahead);
}

}  // namespace array_interface
