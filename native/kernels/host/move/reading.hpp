#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/host/move/loop.hpp"
#include "kernels/layout/tile.hpp"
#include "kernels/layout/tile_reading.hpp"

namespace array_interface {

/// The order in which a tile is read, and where its units go. These tables of offsets are the same
/// for all tiles of one shape.
///
/// Units are read along the axis that is nearest in the source: `length` of them, `stride` bytes
/// apart. Where it is the innermost of the destination too, they are a row, and stay together.
/// Otherwise they are turned: unit i of column j goes to `lines[i]` plus j units.
struct Reading {
  /// What is moved at once begins here.
  struct Start {
    std::int64_t to;
    std::int64_t from;
  };

  /// Packs the units of a tile. If `in_place`, it puts them straight into the destination, where
  /// units that are turned together are contiguous there.
  Reading(const Tile& tile, std::int64_t unit, bool in_place);

  bool is_turned() const noexcept { return width > 0; }

  std::int64_t length = 1;
  std::int64_t stride = 0;            ///< not negative where units are turned
  std::size_t width = 0;              ///< number of columns; 0 of rows
  std::vector<std::int64_t> columns;  ///< where each begins in the source; not for kFromPixels
  std::vector<std::int64_t> lines;    ///< where each begins in the destination; not for kIntoPixels
  std::vector<Start> starts;
  bool is_in_place = false;
  bool is_whole = false;  ///< the tile lies in the source as it is packed
  Loop loop = Loop::kRuns;

 private:
  void Turn(const Tile& tile, const TileStrides& to, const TileReading& order, std::int64_t unit,
            bool is_backwards);
  Loop RowLoop(std::int64_t unit) const noexcept;
  Loop TurnLoop(std::int64_t unit) const noexcept;

  bool is_even_ = false;    ///< lines follow one another: they are as far apart as they are long
  bool is_pixels_ = false;  ///< columns do
};

}  // namespace array_interface
