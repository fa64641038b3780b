#include "kernels/host/explain.hpp"

#include <stdexcept>

#include "kernels/host/move/repeat.hpp"
#include "kernels/host/pieces.hpp"
#include "kernels/host/steps.hpp"
#include "kernels/host/tile_move.hpp"

namespace array_interface {
namespace {

TilesExplained explain_tiles(const StridedCopy& given, Volume volume) {
  const StridedCopy copy = with_repeats(given);
  const Tiling tiling(copy, tile_size(copy.written(), volume));
  const Steps steps(copy);
  const bool streams = is_streamed(tiling, volume);
  const TileMove move(tiling.largest_tile(), copy, steps, streams, tiling.is_repeated());
  const Reading& reading = move.reading;
  const Scatter* const scatter = move.scatter.get();
  TilesExplained tiles{};
  tiles.is_runs = tiling.is_runs();
  tiles.axes = tiling.axes();
  tiles.order = tiling.order();
  tiles.count = tiling.tiles();
  tiles.units = tiling.units();
  tiles.loop = reading.loop;
  tiles.length = reading.length;
  tiles.stride = reading.stride;
  tiles.columns = reading.width;
  tiles.starts = reading.starts.size();
  tiles.is_packed = scatter != nullptr && !reading.is_whole;
  tiles.is_in_place = scatter == nullptr;
  tiles.rows = scatter == nullptr ? 0 : scatter->rows();
  tiles.row = scatter == nullptr ? 0 : scatter->length();
  tiles.is_contiguous = scatter != nullptr && scatter->is_contiguous();
  tiles.is_past_caches = streams && tiles.is_contiguous;
  tiles.source_swap = steps.source_swap;
  tiles.is_converted = steps.convert != nullptr;
  tiles.swap = steps.swap;
  tiles.repeats = steps.repeats;
  return tiles;
}

}  // namespace

Explanation explain(const StridedCopy& copy, std::uint32_t threads) {
  validate(copy);
  const std::size_t used = threads_for(copy, threads);
  if (unit_count(copy) == 0) {
    throw std::invalid_argument(
        "expected a copy of some elements, got one of none; nothing is done for it");
  }
  const std::vector<StridedCopy> pieces = pieces_of(copy, used);
  const StridedCopy& first = pieces.front();
  Explanation found{way_of(first), pieces.size(), unit_count(first) * first.unit, {}};
  if (found.way == Way::kTiles) found.tiles = explain_tiles(first, volume_of(copy));
  return found;
}

}  // namespace array_interface
