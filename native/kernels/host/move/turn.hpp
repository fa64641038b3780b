#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "kernels/host/move/reading.hpp"
#include "kernels/host/vectors/block.hpp"
#include "kernels/host/vectors/units.hpp"

namespace array_interface {

/// Channels first to channels last: interleaves `width` columns, a compile-time constant.
template <typename Unit, std::int64_t width>
inline void turn_into_pixels(const Reading& reading, unsigned char* __restrict to,
                             const unsigned char* __restrict from) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  const std::int64_t length = reading.length;
  for (const auto [start, first] : reading.starts) {
    const unsigned char* columns[width];
    for (std::size_t column = 0; column < width; ++column) {
      columns[column] = from + first + reading.columns[column];
    }
    for (std::int64_t index = 0; index < length; ++index) {
      for (std::int64_t column = 0; column < width; ++column) {
        move<Unit>(to + start + (index * width + column) * size, columns[column] + index * size);
      }
    }
  }
}

/// Separates interleaved lines. The compiler can vectorise this because they do not overlap.
template <typename Unit, typename... Byte>
inline void take_apart(std::size_t width, const unsigned char* __restrict from,
                       Byte* __restrict... lines) {
  for (std::size_t column = 0; column < width; ++column) {
    std::size_t line = 0;
    (move<Unit>(lines + column * sizeof(Unit),
                from + (column * sizeof...(lines) + line++) * sizeof(Unit)),
     ...);
  }
}

/// Channels last to channels first: separates two to four interleaved lines.
template <typename Unit>
inline void turn_from_pixels(const Reading& reading, unsigned char* to, const unsigned char* from) {
  const std::size_t width = reading.width;
  const auto* const lines = reading.lines.data();
  for (const auto [start, first] : reading.starts) {
    unsigned char* const first_line = to + start;
    const unsigned char* const pixels = from + first;
    if (reading.length == 2) {
      take_apart<Unit>(width, pixels, first_line + lines[0], first_line + lines[1]);
    } else if (reading.length == 3) {
      take_apart<Unit>(width, pixels, first_line + lines[0], first_line + lines[1],
                       first_line + lines[2]);
    } else {
      take_apart<Unit>(width, pixels, first_line + lines[0], first_line + lines[1],
                       first_line + lines[2], first_line + lines[3]);
    }
  }
}

/// Planes to pixels of two to four channels.
template <typename Unit>
inline void turn_into_pixels(const Reading& reading, unsigned char* to, const unsigned char* from) {
  if (reading.width == 2) turn_into_pixels<Unit, 2>(reading, to, from);
  if (reading.width == 3) turn_into_pixels<Unit, 3>(reading, to, from);
  if (reading.width == 4) turn_into_pixels<Unit, 4>(reading, to, from);
}

/// Units to transpose at once: the first `high` units of `wide` columns.
struct Turned {
  unsigned char* to;
  const std::int64_t* lines;
  const unsigned char* from;
  const std::int64_t* columns;
  std::size_t high;
  std::size_t wide;
  std::int64_t ahead;
};

/// Lines at multiples of this many bytes share few sets of the L1 cache.
inline constexpr std::int64_t alias_bytes = 512;

/// Calls `work(first, end, top, bottom)` for pieces of columns that fill a cache line of the
/// destination. Pieces extend along the source as far as possible. They are squares if lines would
/// evict one another from the cache before they are full.
template <typename Unit, typename Work>
inline void in_pieces(const Turned& turned, std::size_t high, std::size_t wide, const Work& work) {
  constexpr std::size_t edge = 64 / sizeof(Unit);
  const bool is_aliased = high > 1 && (turned.lines[1] - turned.lines[0]) % alias_bytes == 0;
  const std::size_t step = is_aliased ? edge : high;
  for (std::size_t column = 0; column < wide; column += edge) {
    for (std::size_t line = 0; line < high; line += step) {
      work(column, std::min(column + edge, wide), line, std::min(line + step, high));
    }
  }
}

/// Prefetches the same positions of the next tile. Always inlined: GCC treats a function that only
/// prefetches as one that does nothing.
[[gnu::always_inline]] inline void fetch_ahead(const Turned& turned, std::size_t first,
                                               std::size_t end, std::size_t top, std::size_t bottom,
                                               std::int64_t stride) {
  if (turned.ahead == 0) return;
  constexpr std::int64_t line_bytes = 64;
  const std::int64_t start = static_cast<std::int64_t>(top) * stride;
  const std::int64_t size = static_cast<std::int64_t>(bottom - top) * stride;
  const std::int64_t step = std::max(line_bytes, stride);
  // Fetches one line of each column in turn: for consecutive lines, the hardware prefetches past
  // the end.
  const unsigned char* const from = turned.from + turned.ahead + start;
  for (std::int64_t offset = 0; offset < size; offset += step) {
    for (std::size_t column = first; column < end; ++column) {
      __builtin_prefetch(from + turned.columns[column] + offset, 0, 2);
    }
  }
}

/// Transposes units one by one.
template <typename Unit>
inline void turn_each(const Turned& turned, std::int64_t stride) {
  in_pieces<Unit>(
      turned, turned.high, turned.wide, [&](auto first, auto end, auto top, auto bottom) {
        fetch_ahead(turned, first, end, top, bottom, stride);
        for (std::size_t column = first; column < end; ++column) {
          unsigned char* const to = turned.to + column * sizeof(Unit);
          const unsigned char* next =
              turned.from + turned.columns[column] + static_cast<std::int64_t>(top) * stride;
          for (std::size_t line = top; line < bottom; ++line) {
            move<Unit>(to + turned.lines[line], next);
            next += stride;
          }
        }
      });
}

/// Transposes the first `high` units of each column, few enough for the compiler to unroll.
template <typename Unit, std::int64_t high>
inline void turn_lines(const Turned& turned, std::int64_t stride) {
  unsigned char* lines[high];
  for (std::int64_t line = 0; line < high; ++line) lines[line] = turned.to + turned.lines[line];
  for (std::size_t column = 0; column < turned.wide; ++column) {
    const unsigned char* const from = turned.from + turned.columns[column];
    for (std::int64_t line = 0; line < high; ++line) {
      move<Unit>(lines[line] + column * sizeof(Unit), from + line * stride);
    }
  }
}

/// Transposes columns, few enough for the compiler to unroll.
template <typename Unit, std::size_t wide>
inline void turn_columns(const Turned& turned, std::int64_t stride) {
  const unsigned char* columns[wide];
  for (std::size_t column = 0; column < wide; ++column) {
    columns[column] = turned.from + turned.columns[column];
  }
  for (std::size_t line = 0; line < turned.high; ++line) {
    unsigned char* const to = turned.to + turned.lines[line];
    for (std::size_t column = 0; column < wide; ++column) {
      move<Unit>(to + column * sizeof(Unit), columns[column]);
      columns[column] += stride;
    }
  }
}

/// Transposes `few` to `most` lines or columns.
template <typename Unit, std::size_t few, std::size_t most>
inline void turn_counted(const Turned& turned, std::int64_t stride) {
  if (turned.high == few) return turn_lines<Unit, few>(turned, stride);
  if (turned.wide == few) return turn_columns<Unit, few>(turned, stride);
  if constexpr (few < most) turn_counted<Unit, few + 1, most>(turned, stride);
}

/// Not inlined: so many loops would take the registers of the others.
template <typename Unit>
[[gnu::noinline]] void turn_several(const Turned& turned, std::int64_t stride) {
  turn_counted<Unit, 4, 7>(turned, stride);
}

/// Transposes units `stride` apart that do not fit a block: a few of them on a side, or of 16
/// bytes, of which several on a side are no faster.
template <typename Unit>
inline void turn_few(const Turned& turned, std::int64_t stride = sizeof(Unit)) {
  const std::size_t least = std::min(turned.high, turned.wide);
  if (least > (sizeof(Unit) < 16 ? 7 : 3)) return turn_each<Unit>(turned, stride);
  fetch_ahead(turned, 0, turned.wide, 0, turned.high, stride);
  if (least > 3) return turn_several<Unit>(turned, stride);
  turn_counted<Unit, 1, 3>(turned, stride);
}

/// Transposes adjacent units of each column in blocks of `side` lines and columns, or in smaller
/// ones. What is left is transposed by a block that overlaps the one before it, but one by one if
/// that is quicker. Blocks are twice as wide if the target has vectors for them.
template <typename Unit, std::size_t side, bool has_pairs>
inline void turn_blocks(const Turned& turned) {
  constexpr std::size_t width = has_pairs ? 2 * side : side;
  if constexpr (side == 1 || (side < 4 && side * sizeof(Unit) < 16)) {
    turn_few<Unit>(turned);
  } else if (turned.high < side || turned.wide < width) {
    turn_blocks<Unit, has_pairs ? side : side / 2, false>(turned);
  } else {
    constexpr std::size_t few = 2;
    const auto whole = [](std::size_t count, std::size_t step) {
      return count % step > few ? count : count - count % step;
    };
    const std::size_t high = whole(turned.high, side);
    const std::size_t wide = whole(turned.wide, width);
    in_pieces<Unit>(turned, high, wide, [&](auto first, auto end, auto top, auto bottom) {
      for (std::size_t next = first; next < end; next += width) {
        const std::size_t column = std::min(next, wide - width);
        const unsigned char* columns[width];
        for (std::size_t lane = 0; lane < width; ++lane) {
          columns[lane] = turned.from + turned.columns[column + lane];
        }
        unsigned char* const to = turned.to + column * sizeof(Unit);
        fetch_ahead(turned, column, column + width, top, bottom, sizeof(Unit));
        for (std::size_t after = top; after < bottom; after += side) {
          const std::size_t line = side <= few ? after : std::min(after, high - side);
          if constexpr (has_pairs) {
            transpose_pair(to, turned.lines + line, columns, line * sizeof(Unit));
          } else {
            transpose_block<Unit, side>(to, turned.lines + line, columns, line * sizeof(Unit));
          }
        }
      }
    });
    if (wide < turned.wide) {
      turn_few<Unit>({turned.to + wide * sizeof(Unit), turned.lines, turned.from,
                      turned.columns + wide, high, turned.wide - wide, turned.ahead});
    }
    if (high < turned.high) {
      turn_few<Unit>({turned.to, turned.lines + high, turned.from + high * sizeof(Unit),
                      turned.columns, turned.high - high, turned.wide, turned.ahead});
    }
  }
}

/// Transposes every second unit of each column: packs some at a time, then transposes those.
template <typename Unit, bool has_pairs>
inline void turn_every_second(const Turned& turned) {
  constexpr std::size_t edge = 64 / sizeof(Unit);
  constexpr std::size_t length = 64;
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  unsigned char packed[edge * length * sizeof(Unit)];
  std::int64_t columns[edge];
  for (std::size_t lane = 0; lane < edge; ++lane) {
    columns[lane] = static_cast<std::int64_t>(lane * length) * size;
  }
  for (std::size_t first = 0; first < turned.wide; first += edge) {
    const std::size_t wide = std::min(edge, turned.wide - first);
    for (std::size_t top = 0; top < turned.high; top += length) {
      const std::size_t high = std::min(length, turned.high - top);
      for (std::size_t lane = 0; lane < wide; ++lane) {
        unsigned char* const to = packed + columns[lane];
        const unsigned char* const from =
            turned.from + turned.columns[first + lane] + 2 * size * static_cast<std::int64_t>(top);
        for (std::size_t index = 0; index < high; ++index) {
          move<Unit>(to + index * sizeof(Unit), from + 2 * index * sizeof(Unit));
        }
      }
      turn_blocks<Unit, 16 / sizeof(Unit), has_pairs>(
          {turned.to + first * sizeof(Unit), turned.lines + top, packed, columns, high, wide, 0});
    }
  }
}

/// Looks up each of `count` units, four at a time. Not inlined: registers decide its speed.
template <typename Unit>
[[gnu::noinline]] void look_up(unsigned char* to, const unsigned char* from,
                               const std::int64_t* offsets, std::size_t count) {
  std::size_t index = 0;
  for (; index + 4 <= count; index += 4) {
    for (std::size_t lane = index; lane < index + 4; ++lane) {
      move<Unit>(to + lane * sizeof(Unit), from + offsets[lane]);
    }
  }
  for (; index < count; ++index) move<Unit>(to + index * sizeof(Unit), from + offsets[index]);
}

/// gather() for transposed units. `is_wide`: the target has 32-byte vectors.
template <typename Unit, bool is_wide>
inline void turn(const Reading& reading, unsigned char* to, const unsigned char* from,
                 std::int64_t ahead) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Unit));
  // Shorter units are bound by shuffles, and wide vectors need just as many.
  constexpr bool has_pairs = is_wide && size == 8;
  if (reading.loop == Loop::kIntoPixels) return turn_into_pixels<Unit>(reading, to, from);
  if (reading.loop == Loop::kFromPixels) return turn_from_pixels<Unit>(reading, to, from);
  if (ahead != 0) {
    for (const std::int64_t line : reading.ahead) __builtin_prefetch(from + ahead + line, 0, 2);
  }
  // Columns that share cache lines are read one after another, so the hardware prefetches them.
  const bool is_foreseen = reading.loop == Loop::kGathered || reading.columns.size() < 2 ||
                           std::abs(reading.columns[1] - reading.columns[0]) < 64;
  if (is_foreseen) ahead = 0;
  for (const auto [start, first] : reading.starts) {
    const Turned turned{
        to + start,           reading.lines.data(),   from + first, reading.columns.data(),
        reading.lines.size(), reading.columns.size(), ahead};
    if (reading.loop == Loop::kGathered) {
      look_up<Unit>(to + start, from + first, reading.columns.data(), reading.columns.size());
    } else if (reading.loop == Loop::kTurned) {
      turn_blocks<Unit, 16 / sizeof(Unit), has_pairs>(turned);
    } else if (size < 16 && reading.loop == Loop::kTurnedEverySecond) {
      turn_every_second<Unit, has_pairs>(turned);
    } else {
      turn_few<Unit>(turned, reading.stride);
    }
  }
}

}  // namespace array_interface
