#include "kernels/launch/row_launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "kernels/launch/convert_arguments.hpp"

namespace array_interface {
namespace {

/// Minimum columns of a row for vectors to pay off, if another axis has more.
constexpr std::int64_t few_columns = 16;

/// Longest axis of neighbours that counts as channels. One item handles all channels.
constexpr std::int64_t most_channels = 4;

/// Strides up to this many elements are compile-time constants: dense, reversed, channels of
/// pixels.
constexpr std::int64_t longest_step = 8;

/// Minimum columns of a row that is faster by itself than in tiles.
constexpr std::int64_t long_row = 256;

/// A runtime makes groups of as many items as divide a row. For a long row of prime length that is
/// one. So rows of at least `long_groups` are cut to a multiple of `group` and a short rest.
constexpr std::int64_t group = 256;
constexpr std::int64_t long_groups = 1024;

/// Widest numbers that compilers can vectorise with shuffles on CPUs.
constexpr std::uint32_t word = 8;

/// Maximum items along one index of a launch: the total over all indices must fit an int.
constexpr std::int64_t longest_row = std::int64_t{1} << 30;

StridePair strides_of(const StridedCopy& copy, std::size_t axis) {
  return {copy.destination_strides[axis], copy.source_strides[axis]};
}

std::uint32_t step_of(std::int64_t stride, std::uint32_t size) {
  const std::int64_t step = stride / static_cast<std::int64_t>(size);
  const bool is_known = stride % static_cast<std::int64_t>(size) == 0 && step >= -longest_step &&
                        step <= longest_step;
  return is_known ? static_cast<std::uint32_t>(step + 16) : 0;
}

std::uint32_t steps_of(const StridedCopy& copy, StridePair strides) {
  return step_of(strides.to, copy.unit) | step_of(strides.from, copy.source_unit()) << 8;
}

/// Returns the copy without two of its axes, which may be the same.
StridedCopy without(const StridedCopy& copy, std::size_t one, std::size_t other) {
  if (one == other) return without(copy, one);
  return without(without(copy, std::max(one, other)), std::min(one, other));
}

/// Returns the axis with the smallest stride in the destination. Returns a short axis only if there
/// is no other.
std::size_t columns_of(const StridedCopy& copy) {
  const auto rank = [&](std::size_t axis) {
    return std::make_tuple(copy.lengths[axis] < few_columns,
                           std::llabs(copy.destination_strides[axis]));
  };
  std::size_t best = copy.lengths.size() - 1;
  for (std::size_t axis = best; axis-- > 0;) {
    if (rank(axis) < rank(best)) best = axis;
  }
  return best;
}

/// Returns a short axis whose elements are adjacent on one side, as the channels of a pixel are.
/// Returns `columns` if there is none.
std::size_t channels_of(const StridedCopy& copy, std::size_t columns) {
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    const bool are_neighbours = std::llabs(copy.destination_strides[axis]) == copy.unit ||
                                std::llabs(copy.source_strides[axis]) == copy.source_unit();
    if (axis != columns && are_neighbours && copy.lengths[axis] <= most_channels) return axis;
  }
  return columns;
}

/// Splits an axis, a multiple of the longest row, into two: the rows, and the axis along one row.
StridedCopy folded(StridedCopy copy, std::size_t axis) {
  const auto place = static_cast<std::ptrdiff_t>(axis);
  const StridePair strides = strides_of(copy, axis);
  copy.lengths.insert(copy.lengths.begin() + place, copy.lengths[axis] / longest_row);
  copy.lengths[axis + 1] = longest_row;
  copy.destination_strides.insert(copy.destination_strides.begin() + place,
                                  strides.to * longest_row);
  copy.source_strides.insert(copy.source_strides.begin() + place, strides.from * longest_row);
  return copy;
}

/// Adds a part whose items handle this many channels each. AXES are the axes of its launches.
void add(RowPart part, std::int64_t channels, std::vector<RowPart>& parts) {
  const std::size_t rank = launch_axes(part.rows, part.limits()).inner.size();
  part.axes = static_cast<std::uint32_t>(rank) | static_cast<std::uint32_t>(channels) << 8;
  parts.push_back(std::move(part));
}

void add_rows(const StridedCopy& copy, std::vector<RowPart>& parts) {
  if (unit_count(copy) == 0) return;
  const std::uint32_t conversion = conversion_code(copy);
  if (copy.lengths.empty()) return add({conversion, 0, 0, copy, {}, {}, 1}, 1, parts);
  const std::size_t columns = columns_of(copy);
  const std::int64_t length = copy.lengths[columns];
  const std::int64_t whole = length > longest_row ? longest_row : length > long_groups ? group : 1;
  if (const std::int64_t rest = length % whole; length > longest_row || rest > 0) {
    const StridedCopy main = cut(copy, columns, 0, length - rest);
    add_rows(length > longest_row ? folded(main, columns) : main, parts);
    // There may be no address past its end.
    if (rest > 0) add_rows(cut(copy, columns, length - rest, rest), parts);
    return;
  }
  const std::size_t channels = channels_of(copy, columns);
  const bool has_channels = channels != columns;
  const StridePair inner = strides_of(copy, columns);
  const StridePair channel = has_channels ? strides_of(copy, channels) : StridePair{};
  const std::uint32_t steps = steps_of(copy, inner) | steps_of(copy, channel) << 16;
  add({conversion, steps, 0, without(copy, columns, channels), inner, channel,
       static_cast<std::size_t>(length)},
      has_channels ? copy.lengths[channels] : 1, parts);
}

/// Whether the elements of an axis are within `units` of one another on both sides.
bool is_near(const StridedCopy& copy, std::size_t axis, std::int64_t units) {
  return std::llabs(copy.destination_strides[axis]) <= units * copy.unit &&
         std::llabs(copy.source_strides[axis]) <= units * copy.source_unit();
}

}  // namespace

std::vector<RowPart> row_parts(const StridedCopy& copy) {
  validate(copy);
  std::vector<RowPart> parts;
  if (unit_count(copy) > 0) add_rows(without_ones(copy), parts);
  return parts;
}

bool is_worth_rows(const StridedCopy& whole) {
  const StridedCopy copy = without_ones(whole);
  if (copy.lengths.empty()) return true;
  if (std::max(copy.unit, copy.source_unit()) > word) return false;
  const std::size_t columns = columns_of(copy);
  if (copy.lengths[columns] >= long_row && is_near(copy, columns, 2)) return true;
  const std::size_t channels = channels_of(copy, columns);
  // Accepts pixels, with up to one extra channel. Elements further apart would be gathered one by
  // one.
  return copy.lengths[columns] >= few_columns && channels != columns &&
         is_near(copy, columns, copy.lengths[channels] + 1);
}

}  // namespace array_interface
