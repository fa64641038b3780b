#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace array_interface {

/// Returns the quotient of two positive numbers, rounded up. Unlike `(a + b - 1) / b`, it does not
/// overflow.
constexpr std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a - 1) / b + 1; }

/// One axis of a copy: its units, and the bytes from one to the next on each side. The bytes may be
/// 0; in the source they may be negative.
struct Axis {
  std::int64_t length = 1;
  std::int64_t to = 0;
  std::int64_t from = 0;
  bool is_cut = false;  ///< tiles at the end may contain less of it
};

/// Maximum axes of a tile.
inline constexpr std::size_t tile_rank = 8;

/// Bytes between the units along each axis of a tile.
using TileStrides = std::array<std::int64_t, tile_rank>;

/// A tile: the units along some axes, which are moved together. The innermost axis comes last.
struct Tile {
  std::array<Axis, tile_rank> axes;
  std::size_t rank = 0;

  std::size_t count() const noexcept {
    std::size_t product = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      product *= static_cast<std::size_t>(axes[axis].length);
    }
    return product;
  }

  /// Returns the strides of contiguous units.
  TileStrides packed(std::int64_t unit) const noexcept {
    TileStrides strides{};
    for (std::size_t axis = rank; axis-- > 0;) {
      strides[axis] = unit;
      unit *= axes[axis].length;
    }
    return strides;
  }
};

/// Calls `visit(to, from)` with the offsets of each index of the axes in `order`; the last one
/// varies fastest. `to` uses the destination's strides.
template <typename Visit>
void for_each_unit(const Tile& tile, const TileStrides& to, const std::size_t* order,
                   std::size_t rank, const Visit& visit, std::int64_t to_offset = 0,
                   std::int64_t from_offset = 0) {
  if (rank == 0) return visit(to_offset, from_offset);
  const Axis& axis = tile.axes[order[0]];
  const std::int64_t step = to[order[0]];
  for (std::int64_t index = 0; index < axis.length; ++index) {
    if (rank == 1) {
      visit(to_offset, from_offset);
    } else {
      for_each_unit(tile, to, order + 1, rank - 1, visit, to_offset, from_offset);
    }
    to_offset += step;
    from_offset += axis.from;
  }
}

}  // namespace array_interface
