#include "kernels/host/reading.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace array_interface {
namespace {

using Axes = std::array<std::size_t, tile_rank>;

/// Axes by how far their units are apart in the source; those of which all are one come last, but
/// first where that is the innermost: its units are one after another then.
Axes by_distance(const Tile& tile) {
  Axes axes{};
  for (std::size_t axis = 0; axis < tile.rank; ++axis) axes[axis] = axis;
  const auto distance = [&](std::size_t axis) {
    const std::int64_t from = std::llabs(tile.axes[axis].from);
    if (from == 0) return axis + 1 == tile.rank ? std::int64_t{0} : INT64_MAX;
    return from;
  };
  // Of two alike the inner one.
  std::sort(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(tile.rank),
            [&](auto a, auto b) {
              const std::int64_t left = distance(a);
              const std::int64_t right = distance(b);
              return left != right ? left < right : a > b;
            });
  return axes;
}

/// The axes along which the source is read: the first `count` by distance, together one run of
/// `length` units; `innermost` is that of them that comes last in the destination.
struct Along {
  std::size_t count = 1;
  std::size_t innermost;
  std::int64_t length;
};

/// Takes as many as make blocks of whole vectors, of `side` units, on both sides.
Along read_along(const Tile& tile, const Axes& axes, const TileStrides& packed, std::int64_t unit) {
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
    if (tile.axes[axis].from != next.length * first.from) break;
    next = {next.count + 1, std::max(next.innermost, axis), next.length * tile.axes[axis].length};
    if (next.innermost + 1 == tile.rank) break;
    if (block(next) > block(best)) best = next;
  }
  return best;
}

/// Indices of some axes.
std::size_t count_of(const Tile& tile, const std::size_t* axes, std::size_t rank) {
  std::size_t count = 1;
  for (std::size_t place = 0; place < rank; ++place) {
    count *= static_cast<std::size_t>(tile.axes[axes[place]].length);
  }
  return count;
}

bool is_contiguous(const Tile& tile, std::size_t first, const TileStrides& packed) {
  for (std::size_t axis = first; axis < tile.rank; ++axis) {
    if (tile.axes[axis].to != packed[axis]) return false;
  }
  return true;
}

}  // namespace

Reading::Reading(const Tile& tile, std::int64_t unit, bool in_place) : stride(unit) {
  if (tile.rank == 0) {
    starts.push_back({0, 0});
    is_in_place = in_place;
    is_whole = true;
    return;
  }
  TileStrides to = tile.packed(unit);
  const Axes axes = by_distance(tile);
  const Along along = read_along(tile, axes, to, unit);
  length = along.length;
  stride = tile.axes[axes[0]].from;
  is_whole = true;
  for (std::size_t axis = 0; axis < tile.rank; ++axis) {
    is_whole = is_whole && tile.axes[axis].from == to[axis];
  }
  is_in_place = in_place && is_contiguous(tile, std::min(along.innermost + 1, tile.rank - 1), to);
  if (is_in_place) {
    for (std::size_t axis = 0; axis < tile.rank; ++axis) to[axis] = tile.axes[axis].to;
  }
  const bool turns = along.innermost + 1 < tile.rank;
  if (turns) Turn(tile, to, axes.data(), along.count, along.innermost, unit);
  // Backwards, its last unit comes first.
  const std::int64_t shift = turns && stride < 0 ? (length - 1) * stride : 0;
  if (shift != 0) stride = -stride;
  // Around these, what is near in the source is read one after another.
  Axes around{};
  std::size_t rank = 0;
  for (std::size_t place = tile.rank; place-- > along.count;) {
    if (!turns || axes[place] < along.innermost) around[rank++] = axes[place];
  }
  starts.reserve(count_of(tile, around.data(), rank));
  for_each_unit(tile, to, around.data(), rank,
                [&](std::int64_t to_offset, std::int64_t from_offset) {
                  starts.push_back({to_offset, from_offset + shift});
                });
  loop = turns ? TurnLoop(unit) : RowLoop(unit);
}

Loop Reading::RowLoop(std::int64_t unit) const noexcept {
  if (stride == unit) return Loop::kRuns;
  if (stride == -unit) return Loop::kBackwards;
  if (stride == 0) return Loop::kRepeated;
  if (stride == 2 * unit) return Loop::kEverySecond;
  if (stride == -2 * unit) return Loop::kEverySecondBackwards;
  return Loop::kStrided;
}

Loop Reading::TurnLoop(std::int64_t unit) const noexcept {
  const bool is_adjacent = stride == unit;
  const bool may_be_pixels = is_adjacent && is_even_;
  if (may_be_pixels && columns.size() >= 2 && columns.size() <= 4) return Loop::kIntoPixels;
  if (may_be_pixels && is_pixels_ && length >= 2 && length <= 4) return Loop::kFromPixels;
  if (is_adjacent) return Loop::kTurned;
  return unit < 16 && stride == 2 * unit ? Loop::kTurnedEverySecond : Loop::kTurnedStrided;
}

void Reading::Turn(const Tile& tile, const TileStrides& to, const std::size_t* along,
                   std::size_t count, std::size_t innermost, std::int64_t unit) {
  Axes order{};
  std::reverse_copy(along, along + count, order.begin());
  lines.reserve(static_cast<std::size_t>(length));
  for_each_unit(tile, to, order.data(), count,
                [&](std::int64_t to_offset, std::int64_t) { lines.push_back(to_offset); });
  if (stride < 0) std::reverse(lines.begin(), lines.end());
  std::size_t rank = 0;
  for (std::size_t axis = innermost + 1; axis < tile.rank; ++axis) order[rank++] = axis;
  columns.reserve(count_of(tile, order.data(), rank));
  for_each_unit(tile, to, order.data(), rank,
                [&](std::int64_t, std::int64_t from_offset) { columns.push_back(from_offset); });
  is_even_ =
      count == 1 && stride > 0 && to[innermost] == static_cast<std::int64_t>(columns.size()) * unit;
  is_pixels_ = rank == 1 && tile.axes[order[0]].from == length * stride;
}

}  // namespace array_interface
