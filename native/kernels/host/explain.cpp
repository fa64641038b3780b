#include "kernels/host/explain.hpp"

#include <stdexcept>
#include <vector>

#include "kernels/host/move/repeat.hpp"
#include "kernels/host/pieces.hpp"

namespace array_interface {

TilesExplained::TilesExplained(const StridedCopy& copy, Volume volume)
    : tiling(copy, tile_size(copy.written())),
      steps(copy),
      is_streamed(array_interface::is_streamed(tiling, volume)),
      largest(tiling.largest_tile(), copy, steps, is_streamed, tiling.is_repeated()) {}

Explanation explain(const StridedCopy& copy, std::uint32_t threads) {
  validate(copy);
  const std::size_t used = threads_for(copy, threads);
  if (unit_count(copy) == 0) {
    throw std::invalid_argument(
        "expected a copy of at least one element, got an empty one, which does nothing");
  }
  const std::vector<StridedCopy> pieces = pieces_of(copy, used);
  const StridedCopy& first = pieces.front();
  Explanation found{way_of(first), pieces.size(), unit_count(first) * first.unit, {}};
  if (found.way == Way::kTiles) found.tiles.emplace(with_repeats(first), volume_of(copy));
  return found;
}

}  // namespace array_interface
