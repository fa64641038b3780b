#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/host/steps.hpp"
#include "kernels/host/tile_move.hpp"
#include "kernels/host/way.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "kernels/layout/tiling.hpp"

namespace array_interface {

/// How the host moves the tiles of a copy. Strides are those without repeated units.
struct TilesExplained {
  TilesExplained(const StridedCopy& copy, Volume volume);

  /// Whether units are packed into a buffer first.
  bool is_packed() const noexcept { return largest.scatter && !largest.reading.is_whole; }
  /// Whether rows are written with non-temporal stores.
  bool is_past_caches() const noexcept {
    return is_streamed && largest.scatter && largest.scatter->is_contiguous();
  }

  Tiling tiling;
  Steps steps;
  bool is_streamed;
  TileMove largest;  ///< how the largest tile is moved
};

/// How the host performs a copy of at least one element. Each of `pieces` may have its own thread;
/// the first is described.
struct Explanation {
  Way way;
  std::size_t pieces;
  std::uint64_t bytes;  ///< written by each piece
  std::optional<TilesExplained> tiles;
};

/// Describes what strided_copy() would do, using the functions that make its choices. Reads and
/// writes no element. Throws std::invalid_argument as strided_copy() does, and for a copy of no
/// elements.
Explanation explain(const StridedCopy& copy, std::uint32_t threads);

}  // namespace array_interface
