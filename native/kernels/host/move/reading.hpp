#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/host/move/loop.hpp"
#include "kernels/layout/tile.hpp"
#include "kernels/layout/tile_reading.hpp"

namespace array_interface {

/// The order in which a tile is read, and where its units are written. These offset tables are the
/// same for all tiles of one shape.
///
/// Units are read along the axis with the smallest stride in the source: `length` of them, `stride`
/// bytes apart. If that is also the innermost axis of the destination, they form a row and stay
/// together. Otherwise they are transposed: unit i of column j is written to `lines[i]` plus j
/// units.
struct Reading {
  /// Start of one batch of units.
  struct Start {
    std::int64_t to;
    std::int64_t from;
  };

  /// Packs the elements of a tile; short rows of them that both sides share are one unit. If
  /// `in_place`, writes directly to the destination, provided that units transposed together are
  /// contiguous there.
  Reading(Tile tile, std::int64_t element, bool in_place);

  bool is_turned() const noexcept { return width > 0; }

  std::uint32_t unit;  ///< bytes: 1, 2, 4, 8 or 16
  std::int64_t length = 1;
  std::int64_t stride;                ///< not negative if units are transposed
  std::size_t width = 0;              ///< number of columns; 0 for rows
  std::vector<std::int64_t> columns;  ///< start of each in the source; not for kFromPixels
  std::vector<std::int64_t> lines;    ///< start of each in the destination; not for kIntoPixels
  std::vector<std::int64_t> ahead;    ///< lines of the source to prefetch; for kGathered
  std::vector<Start> starts;
  bool is_in_place = false;
  bool is_whole = false;  ///< the tile is laid out in the source as it is packed
  Loop loop = Loop::kRuns;

 private:
  void Turn(const Tile& tile, const TileStrides& to, const TileReading& order, bool is_backwards);
  void Gather(const Tile& tile, const TileStrides& to);
  void FindLines();
  bool IsShort() const noexcept;
  Loop RowLoop() const noexcept;
  Loop TurnLoop() const noexcept;

  bool is_even_ = false;    ///< lines are adjacent: their distance is their length
  bool is_pixels_ = false;  ///< columns are adjacent
};

}  // namespace array_interface
