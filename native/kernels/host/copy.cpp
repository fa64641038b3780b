#include "kernels/host.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/host/tile.hpp"
#include "kernels/offsets.hpp"

namespace array_interface {
namespace {

/// Bytes from which on a destination is written past the caches, which it would not stay in.
constexpr std::uint64_t stream_from = std::uint64_t{4} << 20;

/// Bytes of one row of a tile: whole cache lines, and pages enough for few of them.
constexpr std::int64_t row_bytes = 256;

/// Takes the innermost axes that are contiguous on both sides off `axes`; returns the bytes of a
/// run.
std::int64_t take_run(const StridedCopy& copy, std::vector<std::size_t>& axes) {
  std::int64_t run = copy.unit;
  for (; !axes.empty(); axes.pop_back()) {
    const std::size_t axis = axes.back();
    if (copy.lengths[axis] == 1) continue;
    if (copy.destination_strides[axis] != run || copy.source_strides[axis] != run) break;
    run *= copy.lengths[axis];
  }
  return run;
}

/// The two axes that tiles are cut from; `rows` has length 1 when there is one axis alone.
class TiledAxes {
 public:
  /// Takes the innermost axis, and the one whose neighbours are nearest in the source, off `axes`.
  TiledAxes(const StridedCopy& copy, std::vector<std::size_t>& axes) : unit_(copy.unit) {
    columns_ = take(copy, axes, axes.end() - 1);
    if (axes.empty()) return;
    const auto nearest = std::min_element(axes.begin(), axes.end(), [&](auto a, auto b) {
      return std::llabs(copy.source_strides[a]) < std::llabs(copy.source_strides[b]);
    });
    const bool is_nearer = std::llabs(copy.source_strides[*nearest]) < std::llabs(columns_.from);
    rows_ = take(copy, axes, is_nearer ? nearest : axes.end() - 1);
    is_turned_ = is_nearer;
  }

  /// Calls `move(to, from, destination tile, source tile)` with offsets in bytes for each tile.
  template <typename Move>
  void for_each_tile(Move&& move) const {
    const std::int64_t room = static_cast<std::int64_t>(tile_bytes) / unit_;
    const std::int64_t wide = is_turned_ ? std::clamp<std::int64_t>(row_bytes / unit_, 32, 128) : room;
    const std::int64_t columns = std::min(columns_.length, wide);
    const std::int64_t rows = std::min(rows_.length, std::max<std::int64_t>(room / columns, 1));
    for (std::int64_t row = 0; row < rows_.length; row += rows) {
      for (std::int64_t column = 0; column < columns_.length; column += columns) {
        Tile tile{std::min(rows, rows_.length - row), std::min(columns, columns_.length - column)};
        Tile source = tile;
        tile.row_stride = rows_.to;
        tile.column_stride = columns_.to;
        source.row_stride = rows_.from;
        source.column_stride = columns_.from;
        move(row * rows_.to + column * columns_.to, row * rows_.from + column * columns_.from, tile,
             source);
      }
    }
  }

 private:
  struct Axis {
    std::int64_t length = 1;
    std::int64_t to = 0;
    std::int64_t from = 0;
  };

  static Axis take(const StridedCopy& copy, std::vector<std::size_t>& axes,
                   std::vector<std::size_t>::iterator place) {
    const std::size_t axis = *place;
    axes.erase(place);
    return {copy.lengths[axis], copy.destination_strides[axis], copy.source_strides[axis]};
  }

  std::int64_t unit_;
  Axis rows_;
  Axis columns_;
  bool is_turned_ = false;
};

}  // namespace

void strided_copy(const StridedCopy& copy) {
  validate(copy);
  const std::uint64_t count = unit_count(copy);
  if (count == 0) return;
  auto* const destination = static_cast<unsigned char*>(copy.destination);
  const auto* const source = static_cast<const unsigned char*>(copy.source);
  std::vector<std::size_t> axes(copy.lengths.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const std::int64_t run = take_run(copy, axes);
  if (run > copy.unit || axes.empty()) {
    for_each_offset(copy, axes, [&](std::int64_t to, std::int64_t from) {
      std::memmove(destination + to, source + from, static_cast<std::size_t>(run));
    });
    return;
  }
  const auto write = count * copy.unit >= stream_from ? stream : scatter;
  const TiledAxes tiled(copy, axes);
  alignas(64) unsigned char dense[tile_bytes];
  for_each_offset(copy, axes, [&](std::int64_t to, std::int64_t from) {
    tiled.for_each_tile([&](std::int64_t row_to, std::int64_t row_from, const Tile& target,
                            const Tile& origin) {
      gather(copy.unit, dense, source + from + row_from, origin);
      write(copy.unit, destination + to + row_to, target, dense);
    });
  });
  finish_stream();
}

}  // namespace array_interface
