#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/host/move/reading.hpp"
#include "kernels/host/move/scatter.hpp"
#include "kernels/host/steps.hpp"
#include "kernels/host/way.hpp"
#include "kernels/layout/strided_copy.hpp"
#include "kernels/layout/tiling.hpp"

namespace array_interface {

/// Keeps a tile and its source in the L2 cache. Runs span about an odd number of cache lines, so
/// that packed rows do not crowd into a few sets of the cache. Runs of short units are shorter,
/// since their tiles have as many columns. A tile is small if its runs need no more: the hardware
/// does not prefetch while it writes.
inline TileSize tile_size(std::uint32_t unit) {
  constexpr std::int64_t kib = 1024;
  if (unit == 4) return {128 * kib, 31, 16 * kib};
  return {64 * kib, unit <= 2 ? 15 : 31, 4 * kib};
}

/// Whether tiles are written with non-temporal stores, because the caches could not hold the
/// destination. Ordinary stores would evict the lines that a transposition still needs. For long
/// runs memcpy decides.
inline bool is_streamed(const Tiling& tiling, Volume volume) {
  if (tiling.is_runs()) return false;
  return volume == Volume::kVast || (volume == Volume::kLarge && !tiling.is_rows());
}

/// How the tiles of one shape are moved.
struct TileMove {
  /// `is_packed`: not in place, even if that is possible.
  TileMove(const Tile& tile, const StridedCopy& copy, const Steps& steps, bool is_streamed,
           bool is_packed)
      : reading(tile, copy.source_unit(), !is_streamed && !is_packed && steps.is_none()),
        count(tile.count()) {
    if (reading.is_in_place) return;
    scatter = std::make_unique<const Scatter>(tile, copy.written(), is_streamed);
    is_straight = !is_streamed && scatter->is_run();
  }

  Reading reading;
  std::unique_ptr<const Scatter> scatter;  ///< null if the reading writes in place
  bool is_straight = false;  ///< the last step writes directly to the destination: one run of it
  std::size_t count;
};

}  // namespace array_interface
