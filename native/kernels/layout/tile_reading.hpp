#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/layout/tile.hpp"

namespace array_interface {

/// The order in which the axes of a tile are read: along the source first.
struct TileReading {
  /// First come the axes `along`, which together are one run of the source, smallest stride first.
  /// Then come those `across`, with which these are transposed, the innermost of the destination
  /// first. Then come the others, smallest stride first.
  std::array<std::size_t, tile_rank> axes{};
  std::size_t along = 1;
  std::size_t across = 0;     ///< none: units are rows, and stay together
  std::size_t innermost = 0;  ///< the one of `along` that comes last in the destination
  std::int64_t length = 1;    ///< units of `along`

  /// For a tile of at least one axis, with units of `unit` bytes. Neither `along` nor `across`
  /// cover more than `most` units.
  TileReading(const Tile& tile, std::int64_t unit, std::int64_t most);

  bool is_turned() const noexcept { return across > 0; }
};

}  // namespace array_interface
