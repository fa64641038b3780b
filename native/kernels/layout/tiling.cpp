#include "kernels/layout/tiling.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace array_interface {
namespace {

constexpr std::int64_t line_bytes = 64;

/// Runs of at least this many bytes are copied by themselves. Shorter ones are first packed into
/// runs of the destination.
constexpr std::int64_t long_run = 4096;

/// A row of at least this many bytes is a tile by itself if both sides have it.
constexpr std::int64_t long_row = 1024;

/// Pieces of an axis start at multiples of this many units, which keeps whole vectors aligned.
constexpr std::int64_t grain = 16;

/// Returns a side that cuts an axis into pieces of nearly equal length: each about `wanted` long,
/// none longer than `most`.
std::int64_t even_side(std::int64_t length, std::int64_t wanted, std::int64_t most) {
  if (length <= most && length - wanted <= wanted) return length;
  const std::int64_t limit = std::min(wanted, most);
  if (length <= limit) return length;
  const std::int64_t even = ceiling(length, ceiling(length, limit));
  return std::min(limit, ceiling(even, grain) * grain);
}

}  // namespace

Tiling::Tiling(const StridedCopy& copy, const TileSize& size) : longest_(size.longest) {
  Sort(copy);
  const std::int64_t unit = copy.written();
  const std::int64_t source_unit = copy.source_unit();
  const bool is_plain = !copy.conversion && copy.repeats == 1;
  is_runs_ = longest_ == no_limit && is_plain && HasLongRuns(unit);
  is_rows_ = longest_ == no_limit && HasLongRows(unit, source_unit);
  if (is_runs_) {
    Lengthen(axes_.back(), axes_.back().axis.length, axes_.back().axis.length);
  } else if (is_rows_) {
    const std::int64_t row = std::max<std::int64_t>(size.filled / std::max(unit, source_unit), 1);
    Lengthen(axes_.back(), row, row);
  } else {
    Cut(unit, source_unit, size);
  }
  Order();
}

/// Makes axes run forwards in the destination, and merges neighbours if both sides allow it.
void Tiling::Sort(const StridedCopy& copy) {
  axes_.reserve(copy.lengths.size());
  for (std::size_t index = 0; index < copy.lengths.size(); ++index) {
    Axis axis{copy.lengths[index], copy.destination_strides[index], copy.source_strides[index]};
    if (axis.length == 1) continue;  // its strides may be anything
    if (axis.to < 0) {
      to_ += (axis.length - 1) * axis.to;
      from_ += (axis.length - 1) * axis.from;
      axis = {axis.length, -axis.to, -axis.from};
    }
    axes_.push_back({axis});
  }
  std::sort(axes_.begin(), axes_.end(),
            [](const CutAxis& a, const CutAxis& b) { return a.axis.to > b.axis.to; });
  std::size_t kept = 0;
  for (std::size_t index = 0; index < axes_.size(); ++index) {
    const Axis& next = axes_[index].axis;
    const Axis& last = axes_[kept == 0 ? 0 : kept - 1].axis;
    const bool is_one =
        kept > 0 && last.to == next.length * next.to && last.from == next.length * next.from;
    const Axis axis = is_one ? Axis{last.length * next.length, next.to, next.from} : next;
    axes_[is_one ? kept - 1 : kept++].axis = axis;
  }
  axes_.resize(kept);
}

bool Tiling::HasLongRuns(std::int64_t unit) const {
  if (axes_.empty()) return false;
  const Axis& axis = axes_.back().axis;
  return axis.to == unit && axis.from == unit && axis.length * unit >= long_run;
}

/// Whether long rows of the destination are read in order: no axis has a smaller stride in the
/// source, or reading along it gains nothing.
bool Tiling::HasLongRows(std::int64_t unit, std::int64_t source_unit) const {
  if (axes_.empty()) return false;
  const Axis& row = axes_.back().axis;
  const std::int64_t step = std::llabs(row.from);
  if (row.to != unit || row.length < ceiling(long_row, unit)) return false;
  return step <= 2 * source_unit || std::none_of(axes_.begin(), axes_.end(), [&](auto& cut) {
           return cut.axis.from != 0 && std::llabs(cut.axis.from) < step;
         });
}

/// Sets the side of an axis to about `wanted`, in a tile of no more than `room` units. Returns true
/// if the whole axis fits in the tile.
bool Tiling::Lengthen(CutAxis& cut, std::int64_t wanted, std::int64_t room) {
  const bool has_place = cut.side > 1 || rank_ < tile_rank;
  const std::int64_t others = units_ / cut.side;
  const std::int64_t side = even_side(cut.axis.length, wanted, std::min(room / others, longest_));
  if (has_place && side > cut.side) {
    if (cut.side == 1) ++rank_;
    units_ = others * side;
    cut.side = side;
  }
  return cut.side == cut.axis.length;
}

void Tiling::Cut(std::int64_t unit, std::int64_t source_unit, const TileSize& size) {
  const auto units_in = [&](std::int64_t bytes) {
    return std::max<std::int64_t>(bytes / std::max(unit, source_unit), 1);
  };
  const std::int64_t room = units_in(size.bytes);
  const std::int64_t wide = std::max<std::int64_t>(size.lines * line_bytes / unit, 1);
  const std::int64_t side = std::max(room / wide / grain * grain, std::int64_t{4});
  std::int64_t run = 1;
  for (std::size_t axis = axes_.size(); axis-- > 0 && run < wide; run *= axes_[axis].side) {
    if (!Lengthen(axes_[axis], ceiling(wide, run), room)) break;
  }
  // First a run of the source.
  std::array<CutAxis*, maximum_rank> nearest;
  std::size_t count = 0;
  for (CutAxis& cut : axes_) {
    if (cut.axis.from != 0) nearest[count++] = &cut;
  }
  std::sort(nearest.begin(), nearest.begin() + count, [](const CutAxis* a, const CutAxis* b) {
    const auto left = std::llabs(a->axis.from);
    const auto right = std::llabs(b->axis.from);
    return left != right ? left < right : a > b;  // of two equal axes, the inner one
  });
  run = 1;
  for (std::size_t next = 0; next < count && run < side; run *= nearest[next++]->side) {
    if (!Lengthen(*nearest[next], ceiling(side, run), room)) break;
  }
  // If these axes are short, more of the destination.
  const std::int64_t filled = units_in(size.filled);
  const bool is_short = 2 * units_ <= filled;
  for (std::size_t axis = axes_.size(); is_short && axis-- > 0;) {
    if (!Lengthen(axes_[axis], axes_[axis].axis.length, filled)) break;
  }
}

void Tiling::Order() {
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    CutAxis& cut = axes_[axis];
    if (cut.side > 1) cut.place = place++;
    if (cut.side < cut.axis.length) order_.push_back(axis);
  }
  // Varies fastest along the source, whose pages and lines are already in use.
  const auto distance = [&](std::size_t axis) {
    const CutAxis& cut = axes_[axis];
    return cut.side > 1 && cut.axis.from != 0 ? std::llabs(cut.axis.from) : INT64_MAX;
  };
  const auto nearest = std::min_element(order_.begin(), order_.end(),
                                        [&](auto a, auto b) { return distance(a) < distance(b); });
  if (nearest != order_.end() && distance(*nearest) != INT64_MAX) {
    std::rotate(nearest, nearest + 1, order_.end());
  }
  // If the source is repeated, the repeats vary faster still.
  if (longest_ == no_limit) {
    std::stable_partition(order_.begin(), order_.end(),
                          [&](auto axis) { return axes_[axis].axis.from != 0; });
  }
}

/// Returns the source offset in bytes from the tile at these indices of order() to the next tile
/// that is elsewhere in the source. Returns 0 for the last.
std::int64_t Tiling::ToNextSource(const std::vector<std::int64_t>& starts) const {
  std::int64_t back = 0;
  for (std::size_t turn = order_.size(); turn-- > 0;) {
    const CutAxis& cut = axes_[order_[turn]];
    const bool is_end = starts[turn] + cut.side >= cut.axis.length;
    if (!is_end && cut.axis.from != 0) return cut.side * cut.axis.from - back;
    back += starts[turn] * cut.axis.from;
  }
  return 0;
}

std::uint64_t Tiling::tiles() const noexcept {
  std::uint64_t count = 1;
  for (const CutAxis& cut : axes_) {
    count *= static_cast<std::uint64_t>(ceiling(cut.axis.length, cut.side));
  }
  return count;
}

Tile Tiling::largest_tile() const {
  Tile tile;
  for (const CutAxis& cut : axes_) {
    if (cut.side == 1) continue;
    tile.axes[tile.rank++] = {cut.side, cut.axis.to, cut.axis.from, cut.side < cut.axis.length};
  }
  return tile;
}

}  // namespace array_interface
