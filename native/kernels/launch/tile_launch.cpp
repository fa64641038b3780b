#include "kernels/launch/tile_launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "kernels/launch/convert_arguments.hpp"
#include "kernels/layout/tile_reading.hpp"
#include "kernels/layout/tiling.hpp"

namespace array_interface {
namespace {

/// TILE_BYTES and TABLE of tile_copy.cl.
constexpr std::int64_t tile_bytes = std::int64_t{64} * 1024;
constexpr std::int64_t table_entries = 1024;

/// Maximum items of a launch. There are several per core, so that all cores end at about the same
/// time. There are few, since each item fills its own tables.
constexpr std::uint64_t most_items = 128;

/// Destinations from this many bytes on are written with non-temporal stores: the caches could not
/// hold them.
constexpr std::uint64_t large_from = std::uint64_t{4} << 20;

/// Strides up to this many elements are compile-time constants: dense, reversed, every second.
constexpr std::int64_t longest_step = 2;

/// Runs of the destination are as on the host, but no longer than a table.
TileSize tile_size(std::uint32_t unit) {
  return {tile_bytes, unit <= 2 ? 15 : 31, tile_bytes, table_entries};
}

/// Returns a stride as a number of elements, + 16, if the compiler should know it; otherwise 0.
std::uint32_t step_of(std::int64_t stride, std::uint32_t unit) {
  const std::int64_t step = stride / static_cast<std::int64_t>(unit);
  const bool is_known =
      stride % static_cast<std::int64_t>(unit) == 0 && std::llabs(step) <= longest_step;
  return is_known ? static_cast<std::uint32_t>(step + 16) : 0;
}

/// An order of the kernel's axes. Axes that are not added come last, the innermost first.
class AxisOrder {
 public:
  void Add(std::size_t axis) {
    if (!is_in_[axis]) axes_[count_++] = axis;
    is_in_[axis] = true;
  }

  /// Returns one hexadecimal digit per axis; the first axis is the lowest digit.
  std::uint64_t Digits() {
    for (std::size_t axis = tile_kernel_rank; axis-- > 0;) Add(axis);
    std::uint64_t digits = 0;
    for (std::size_t place = tile_kernel_rank; place-- > 0;) digits = digits << 4 | axes_[place];
    return digits;
  }

 private:
  std::array<std::size_t, tile_kernel_rank> axes_{};
  std::array<bool, tile_kernel_rank> is_in_{};
  std::size_t count_ = 0;
};

/// Returns the axes of the tiling that a launch covers: those of a tile, and the longest of the
/// others.
std::vector<std::size_t> axes_of_launch(const Tiling& tiling) {
  const auto& axes = tiling.axes();
  std::vector<std::size_t> taken(axes.size());
  std::iota(taken.begin(), taken.end(), std::size_t{0});
  std::stable_sort(taken.begin(), taken.end(), [&](std::size_t a, std::size_t b) {
    const bool is_in_tile = axes[a].side > 1;
    if (is_in_tile != (axes[b].side > 1)) return is_in_tile;
    return axes[a].axis.length > axes[b].axis.length;
  });
  taken.resize(std::min(taken.size(), tile_kernel_rank));
  std::sort(taken.begin(), taken.end());
  return taken;
}

/// Maps each axis of the tiling to the kernel's axis; the kernel's last is the innermost.
/// tile_kernel_rank for axes that the launch does not cover.
std::vector<std::size_t> places_of(const Tiling& tiling) {
  std::vector<std::size_t> places(tiling.axes().size(), tile_kernel_rank);
  const std::vector<std::size_t> taken = axes_of_launch(tiling);
  std::size_t place = tile_kernel_rank - taken.size();
  for (const std::size_t axis : taken) places[axis] = place++;
  return places;
}

std::uint64_t loops_of(const Tiling& tiling, const std::vector<std::size_t>& places) {
  AxisOrder loops;
  for (std::size_t index = tiling.order().size(); index-- > 0;) {
    const std::size_t place = places[tiling.order()[index]];
    if (place < tile_kernel_rank) loops.Add(place);
  }
  return loops.Digits();
}

/// Stores in a part how its tiles are read.
void read_tiles(const StridedCopy& copy, const Tiling& tiling,
                const std::vector<std::size_t>& places, TilePart& part) {
  TileArguments& arguments = part.arguments;
  const std::uint32_t unit = copy.source_unit();
  AxisOrder order;
  std::size_t nearest = tile_kernel_rank - 1;
  if (const Tile tile = tiling.largest_tile(); tile.rank > 0) {
    std::vector<std::size_t> of_tile;
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
      if (tiling.axes()[axis].side > 1) of_tile.push_back(places[axis]);
    }
    const TileReading reading(tile, unit, table_entries);
    arguments.along = static_cast<std::uint32_t>(reading.along);
    arguments.across = static_cast<std::uint32_t>(reading.across);
    nearest = of_tile[reading.axes[0]];
    for (std::size_t place = 0; place < tile.rank; ++place) order.Add(of_tile[reading.axes[place]]);
  }
  arguments.reading = order.Digits();
  const bool is_turned = arguments.across > 0;
  const std::int64_t stride = arguments.source_strides[nearest];
  const std::uint32_t step = step_of(is_turned ? std::llabs(stride) : stride, unit);
  const std::int64_t innermost = arguments.destination_strides[tile_kernel_rank - 1];
  part.steps = step | step_of(innermost, copy.unit) << 8 | (is_turned ? 1u : 0u) << 16;
}

}  // namespace

TilePart tile_part(const StridedCopy& copy) {
  const Tiling tiling(copy, tile_size(copy.unit));
  const std::vector<std::size_t> places = places_of(tiling);
  TilePart part{conversion_code(copy), 0, {}, {}};
  TileArguments& arguments = part.arguments;
  for (std::size_t index = 0; index < places.size(); ++index) {
    const auto& [axis, side, unused] = tiling.axes()[index];
    const std::size_t place = places[index];
    if (place == tile_kernel_rank) {
      part.around.lengths.push_back(axis.length);
      part.around.destination_strides.push_back(axis.to);
      part.around.source_strides.push_back(axis.from);
      continue;
    }
    arguments.lengths[place] = axis.length;
    arguments.sides[place] = side;
    arguments.destination_strides[place] = axis.to;
    arguments.source_strides[place] = axis.from;
    arguments.tiles *= static_cast<std::uint64_t>(ceiling(axis.length, side));
  }
  arguments.destination = static_cast<char*>(copy.destination) + tiling.to();
  arguments.source = static_cast<const char*>(copy.source) + tiling.from();
  arguments.items = std::min(arguments.tiles, most_items);
  arguments.loops = loops_of(tiling, places);
  arguments.is_streamed = unit_count(copy) * copy.unit >= large_from ? 1 : 0;
  read_tiles(copy, tiling, places, part);
  return part;
}

}  // namespace array_interface
