#include "kernels/host/tiled_axes.hpp"

#include <algorithm>
#include <cstdlib>

namespace array_interface {
namespace {

/// Bytes of one row of a tile that turns its axes: whole cache lines, in few pages.
constexpr std::int64_t turned_row_bytes = 256;

}  // namespace

TiledAxes::TiledAxes(const StridedCopy& copy, std::vector<std::size_t>& axes) {
  if (!axes.empty()) columns_ = take(copy, axes, axes.size() - 1);
  bool is_turned = false;
  if (!axes.empty()) {
    const auto nearest = std::min_element(axes.begin(), axes.end(), [&](auto a, auto b) {
      return std::llabs(copy.source_strides[a]) < std::llabs(copy.source_strides[b]);
    });
    is_turned = std::llabs(copy.source_strides[*nearest]) < std::llabs(columns_.from);
    const auto place = static_cast<std::size_t>(nearest - axes.begin());
    rows_ = take(copy, axes, is_turned ? place : axes.size() - 1);
  }
  const std::int64_t unit = std::max(copy.unit, copy.source_unit());
  const std::int64_t room = static_cast<std::int64_t>(tile_bytes) / unit;
  const std::int64_t wide =
      is_turned ? std::clamp<std::int64_t>(turned_row_bytes / unit, 32, 128) : room;
  tile_columns_ = std::min(columns_.length, wide);
  tile_rows_ = std::min(rows_.length, std::max<std::int64_t>(room / tile_columns_, 1));
}

TiledAxes::Axis TiledAxes::take(const StridedCopy& copy, std::vector<std::size_t>& axes,
                                std::size_t place) {
  const std::size_t axis = axes[place];
  axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(place));
  return {copy.lengths[axis], copy.destination_strides[axis], copy.source_strides[axis]};
}

}  // namespace array_interface
