#include "kernels/host/move/reading.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "kernels/host/vectors/units.hpp"
#include "kernels/layout/tiling.hpp"

namespace array_interface {
namespace {

using Axes = std::array<std::size_t, tile_rank>;

/// Returns the number of indices of some axes together.
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

/// Takes innermost axes off a tile that together are one unit on both sides, and returns its bytes.
std::uint32_t joined(Tile& tile, std::int64_t unit, bool in_place) {
  while (tile.rank > 0) {
    const Axis& axis = tile.axes[tile.rank - 1];
    const bool is_run = axis.from == unit && (!in_place || axis.to == unit);
    if (!is_run || axis.length > 16 || !is_unit(static_cast<std::uint32_t>(axis.length * unit))) {
      break;
    }
    unit *= axis.length;
    --tile.rank;
  }
  return static_cast<std::uint32_t>(unit);
}

}  // namespace

Reading::Reading(Tile tile, std::int64_t element, bool in_place)
    : unit(joined(tile, element, in_place)), stride(unit) {
  if (tile.rank == 0) {
    starts.push_back({0, 0});
    is_in_place = in_place;
    is_whole = true;
    return;
  }
  TileStrides to = tile.packed(unit);
  const TileReading order(tile, unit, no_limit);
  length = order.length;
  stride = tile.axes[order.axes[0]].from;
  is_whole = true;
  for (std::size_t axis = 0; axis < tile.rank; ++axis) {
    is_whole = is_whole && tile.axes[axis].from == to[axis];
  }
  is_in_place = in_place && is_contiguous(tile, std::min(order.innermost + 1, tile.rank - 1), to);
  if (is_in_place) {
    for (std::size_t axis = 0; axis < tile.rank; ++axis) to[axis] = tile.axes[axis].to;
  }
  // A backward axis starts at its last unit.
  const bool is_backwards = order.is_turned() && stride < 0;
  const std::int64_t shift = is_backwards ? (length - 1) * stride : 0;
  if (is_backwards) stride = -stride;
  Axes around{};
  const std::size_t first = order.along + order.across;
  const std::size_t rank = tile.rank - first;
  std::reverse_copy(order.axes.begin() + first, order.axes.begin() + tile.rank, around.begin());
  starts.reserve(count_of(tile, around.data(), rank));
  for_each_unit(tile, to, around.data(), rank,
                [&](std::int64_t to_offset, std::int64_t from_offset) {
                  starts.push_back({to_offset, from_offset + shift});
                });
  if (order.is_turned()) {
    Turn(tile, to, order, is_backwards);
  } else {
    loop = RowLoop();
  }
  if (IsShort()) Gather(tile, to);
}

/// Whether a loop over so few units takes longer than to look each of them up.
bool Reading::IsShort() const noexcept {
  constexpr std::int64_t short_row = 8;
  constexpr std::int64_t short_turn = 64;
  if (starts.size() == 1 || loop == Loop::kRuns) return false;
  return is_turned() ? length * static_cast<std::int64_t>(width) <= short_turn : length < short_row;
}

/// Looks up each unit of the innermost axes, in the order of the destination, if there are many.
void Reading::Gather(const Tile& tile, const TileStrides& to) {
  constexpr std::size_t least = 32;
  constexpr std::size_t most = 8192;
  const TileStrides packed = tile.packed(unit);
  std::size_t axis = tile.rank;
  std::size_t count = 1;
  while (axis > 0 && to[axis - 1] == packed[axis - 1]) {
    const std::size_t more = count * static_cast<std::size_t>(tile.axes[axis - 1].length);
    if (more > most) break;
    count = more;
    --axis;
  }
  if (count < least) return;
  FindLines();
  Axes axes{};
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  loop = Loop::kGathered;
  length = 1;
  width = count;
  lines.assign(1, 0);
  starts.clear();
  columns.clear();
  for_each_unit(tile, to, axes.data(), axis, [&](std::int64_t to_offset, std::int64_t from_offset) {
    starts.push_back({to_offset, from_offset});
  });
  for_each_unit(tile, to, axes.data() + axis, tile.rank - axis,
                [&](std::int64_t, std::int64_t from_offset) { columns.push_back(from_offset); });
}

/// Finds the source's cache lines in the order of the loop, which meets each one several times.
void Reading::FindLines() {
  constexpr std::int64_t line_bytes = 64;
  if (columns.empty()) columns.push_back(0);
  for (const Start& start : starts) {
    for (const std::int64_t column : columns) {
      for (std::int64_t index = 0; index < length; ++index) {
        const std::int64_t offset = start.from + column + index * stride;
        const bool is_new = ahead.empty() || std::abs(offset - ahead.back()) >= line_bytes;
        if (is_new) ahead.push_back(offset);
      }
    }
  }
}

Loop Reading::RowLoop() const noexcept {
  const std::int64_t unit = this->unit;
  if (stride == unit) return Loop::kRuns;
  if (stride == -unit) return Loop::kBackwards;
  if (stride == 0) return Loop::kRepeated;
  if (stride == 2 * unit) return Loop::kEverySecond;
  if (stride == -2 * unit) return Loop::kEverySecondBackwards;
  return Loop::kStrided;
}

Loop Reading::TurnLoop() const noexcept {
  const bool is_adjacent = stride == unit;
  if (is_adjacent && is_even_ && width >= 2 && width <= 4) return Loop::kIntoPixels;
  if (is_adjacent && is_pixels_ && length >= 2 && length <= 4) return Loop::kFromPixels;
  if (is_adjacent) return Loop::kTurned;
  const bool has_blocks = unit < 16 && length >= 8 && width >= 8;
  return has_blocks && stride == 2 * std::int64_t{unit} ? Loop::kTurnedEverySecond
                                                        : Loop::kTurnedStrided;
}

void Reading::Turn(const Tile& tile, const TileStrides& to, const TileReading& order,
                   bool is_backwards) {
  Axes across{};
  std::iota(across.begin(), across.begin() + order.across, order.innermost + 1);
  width = count_of(tile, across.data(), order.across);
  is_even_ = !is_backwards && order.along == 1 &&
             to[order.innermost] == static_cast<std::int64_t>(width) * unit;
  is_pixels_ = order.across == 1 && tile.axes[across[0]].from == length * stride;
  loop = TurnLoop();
  if (loop != Loop::kIntoPixels) {
    Axes along{};
    std::reverse_copy(order.axes.begin(), order.axes.begin() + order.along, along.begin());
    lines.reserve(static_cast<std::size_t>(length));
    for_each_unit(tile, to, along.data(), order.along,
                  [&](std::int64_t to_offset, std::int64_t) { lines.push_back(to_offset); });
    if (is_backwards) std::reverse(lines.begin(), lines.end());
  }
  if (loop != Loop::kFromPixels) {
    columns.reserve(width);
    for_each_unit(tile, to, across.data(), order.across,
                  [&](std::int64_t, std::int64_t from_offset) { columns.push_back(from_offset); });
  }
}

}  // namespace array_interface
