#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/layout/tile.hpp"

namespace array_interface {

/// In which order the axes of a tile are read: along the source first.
struct TileReading {
  /// First the axes `along`, which are one run of the source together, the nearest first. Then
  /// those `across`, with which these are turned, the innermost of the destination first. Then the
  /// others, the nearest first.
  std::array<std::size_t, tile_rank> axes{};
  std::size_t along = 1;
  std::size_t across = 0;     ///< none: units are rows, and stay together
  std::size_t innermost = 0;  ///< that of `along` which comes last in the destination
  std::int64_t length = 1;    ///< units of `along`

  /// For a tile of at least one axis with units of `unit` bytes. Neither `along` nor `across` take
  /// more than `most` units.
  TileReading(const Tile& tile, std::int64_t unit, std::int64_t most);

  bool is_turned() const noexcept { return across > 0; }
};

}  // namespace array_interface
