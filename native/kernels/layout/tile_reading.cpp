#include "kernels/layout/tile_reading.hpp"

#include <algorithm>
#include <cstdlib>

namespace array_interface {
namespace {

using Axes = std::array<std::size_t, tile_rank>;

/// Minimum units of an innermost axis that a kernel reads as a row although they are one unit in
/// the source.
constexpr std::int64_t long_repeat = 16;

/// Sorts axes by stride in the source. Axes of stride 0 come last. The innermost axis comes first
/// if it is a row: at least `shortest` units, at most `row_step` apart.
Axes by_distance(const Tile& tile, std::int64_t row_step, std::int64_t shortest) {
  Axes axes{};
  for (std::size_t axis = 0; axis < tile.rank; ++axis) axes[axis] = axis;
  const auto distance = [&](std::size_t axis) {
    const std::int64_t from = std::llabs(tile.axes[axis].from);
    const bool is_row = axis + 1 == tile.rank && tile.axes[axis].length >= shortest;
    if (is_row && from <= row_step) return std::int64_t{0};
    return from == 0 ? INT64_MAX : from;
  };
  // Of two equal axes, the inner one comes first.
  std::sort(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(tile.rank),
            [&](auto a, auto b) {
              const std::int64_t left = distance(a);
              const std::int64_t right = distance(b);
              return left != right ? left < right : a > b;
            });
  return axes;
}

/// The axes along which the source is read: the first `count` by stride, which together form one
/// run of `length` units. `innermost` is the one that comes last in the destination.
struct Along {
  std::size_t count = 1;
  std::size_t innermost;
  std::int64_t length;
};

/// Takes enough axes for blocks of whole vectors, of `side` units, on both sides.
Along read_along(const Tile& tile, const Axes& axes, std::int64_t unit, std::int64_t most) {
  const TileStrides packed = tile.packed(unit);
  const Axis& first = tile.axes[axes[0]];
  Along best{1, axes[0], first.length};
  if (best.innermost + 1 == tile.rank) return best;
  const std::int64_t side = std::max<std::int64_t>(16 / unit, 1);
  const auto block = [&](const Along& along) {
    return std::min(along.length, side) * std::min(packed[along.innermost] / unit, side);
  };
  Along next = best;
  while (next.count < tile.rank) {
    const std::size_t axis = axes[next.count];
    // If the source overlaps itself, a run in this tile need not be one in a shorter tile.
    if (tile.axes[axes[next.count - 1]].is_cut) break;
    if (tile.axes[axis].from != next.length * first.from) break;
    next = {next.count + 1, std::max(next.innermost, axis), next.length * tile.axes[axis].length};
    if (next.innermost + 1 == tile.rank || next.length > most) break;
    if (block(next) > block(best)) best = next;
  }
  return best;
}

}  // namespace

TileReading::TileReading(const Tile& tile, std::int64_t unit, std::int64_t most) {
  const Axes nearest =
      most == INT64_MAX ? by_distance(tile, 2 * unit, 0) : by_distance(tile, 0, long_repeat);
  const Along read = read_along(tile, nearest, unit, most);
  along = read.count;
  innermost = read.innermost;
  length = read.length;
  std::copy_n(nearest.begin(), along, axes.begin());
  std::size_t place = along;
  std::array<bool, tile_rank> is_across{};
  std::int64_t columns = 1;
  for (std::size_t axis = tile.rank; axis-- > innermost + 1;) {
    columns *= tile.axes[axis].length;
    if (columns > most) break;
    is_across[axis] = true;
    axes[place++] = axis;
    ++across;
  }
  for (std::size_t rank = along; rank < tile.rank; ++rank) {
    if (!is_across[nearest[rank]]) axes[place++] = nearest[rank];
  }
}

}  // namespace array_interface
