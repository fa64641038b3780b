#include "kernels/special_launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "kernels/convert_arguments.hpp"

namespace array_interface {
namespace {

/// Units along each side of a tile; SIDE in tiled_copy.cl.
constexpr std::int64_t tile_side = 64;

/// Columns that a row must have, where another axis has more, to be worth vectors.
constexpr std::int64_t few_columns = 16;

/// A shorter axis of neighbours is taken for channels, all of which an item does.
constexpr std::int64_t most_channels = 4;

/// Strides up to so many elements are known to the compiler: dense, reversed, channels of pixels.
constexpr std::int64_t longest_step = 8;

/// Items along one index of a launch: an int counts those of all its indices.
constexpr std::int64_t longest_row = std::int64_t{1} << 30;

Conversion conversion_of(const StridedCopy& copy) {
  if (copy.conversion) return *copy.conversion;
  const ElementType type = type_of_unit(copy.unit);
  return {type, type};
}

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

/// Adds a part whose items do so many channels each. AXES are those that its launches have.
void add(SpecialPart part, std::int64_t channels, std::vector<SpecialPart>& parts) {
  const std::size_t rank = launch_axes(part.around, part.limits()).inner.size();
  part.kernel.axes = static_cast<std::uint32_t>(rank) | static_cast<std::uint32_t>(channels) << 8;
  parts.push_back(std::move(part));
}

/// The copy without two of its axes, which may be the same.
StridedCopy without(const StridedCopy& copy, std::size_t one, std::size_t other) {
  if (one == other) return without(copy, one);
  return without(without(copy, std::max(one, other)), std::min(one, other));
}

/// The axis whose elements are nearest to one another in the destination; a short one only where
/// there is no other.
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

/// A short axis whose elements are neighbours on one side, as the channels of a pixel are;
/// `columns` where there is none.
std::size_t channels_of(const StridedCopy& copy, std::size_t columns) {
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    const bool are_neighbours = std::llabs(copy.destination_strides[axis]) == copy.unit ||
                                std::llabs(copy.source_strides[axis]) == copy.source_unit();
    if (axis != columns && are_neighbours && copy.lengths[axis] <= most_channels) return axis;
  }
  return columns;
}

/// The copy with an axis, of some whole number of longest rows, as two: the rows, and along one.
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

void add_rest(const StridedCopy& copy, std::size_t axis, std::int64_t start,
              std::vector<SpecialPart>& parts);

void add_rows(const StridedCopy& copy, std::vector<SpecialPart>& parts) {
  if (unit_count(copy) == 0) return;
  const std::uint32_t conversion = conversion_code(conversion_of(copy));
  if (copy.lengths.empty()) {
    add({{false, conversion, 0, 0}, copy, {}, {}, 1, 1}, 1, parts);
    return;
  }
  const std::size_t columns = columns_of(copy);
  const std::int64_t length = copy.lengths[columns];
  if (length > longest_row) {
    const std::int64_t rest = length % longest_row;
    add_rows(folded(cut(copy, columns, 0, length - rest), columns), parts);
    add_rest(copy, columns, length - rest, parts);
    return;
  }
  const std::size_t channels = channels_of(copy, columns);
  const bool has_channels = channels != columns;
  const StridePair inner = strides_of(copy, columns);
  const StridePair channel = has_channels ? strides_of(copy, channels) : StridePair{};
  const std::uint32_t steps = steps_of(copy, inner) | steps_of(copy, channel) << 16;
  add({{false, conversion, steps, 0},
       without(copy, columns, channels),
       inner,
       channel,
       static_cast<std::size_t>(length),
       1},
      has_channels ? copy.lengths[channels] : 1, parts);
}

/// What an axis has from `start` on, if anything: past its end there may be no address.
void add_rest(const StridedCopy& copy, std::size_t axis, std::int64_t start,
              std::vector<SpecialPart>& parts) {
  const std::int64_t rest = copy.lengths[axis] - start;
  if (rest > 0) add_rows(cut(copy, axis, start, rest), parts);
}

/// The axis along which the source's elements are adjacent, where squares of it and `columns` can
/// be turned; `columns` where they cannot.
std::size_t rows_of(const StridedCopy& copy, std::size_t columns) {
  const Conversion conversion = conversion_of(copy);
  const bool is_whole =
      word_size(conversion.from) == copy.source_unit() && word_size(conversion.to) == copy.unit;
  const auto from_size = static_cast<std::int64_t>(copy.source_unit());
  const bool is_turnable = is_whole && copy.lengths[columns] >= tile_side &&
                           copy.destination_strides[columns] == copy.unit &&
                           copy.source_strides[columns] != from_size;
  if (!is_turnable) return columns;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    // Squares that one launch can hold all of.
    const bool fits =
        copy.lengths[axis] / tile_side <= longest_row * tile_side / copy.lengths[columns];
    if (copy.source_strides[axis] == from_size && copy.lengths[axis] >= tile_side && fits) {
      return axis;
    }
  }
  return columns;
}

}  // namespace

ElementType type_of_unit(std::uint32_t unit) {
  switch (unit) {
    case 1:
      return ElementType::kUint8;
    case 2:
      return ElementType::kUint16;
    case 4:
      return ElementType::kUint32;
    case 8:
      return ElementType::kUint64;
    default:
      return ElementType::kComplex128;
  }
}

StridedCopy without(StridedCopy copy, std::size_t axis) {
  const auto place = static_cast<std::ptrdiff_t>(axis);
  copy.lengths.erase(copy.lengths.begin() + place);
  copy.destination_strides.erase(copy.destination_strides.begin() + place);
  copy.source_strides.erase(copy.source_strides.begin() + place);
  return copy;
}

std::uint64_t SpecialKernel::units_of_item() const noexcept {
  return is_tiles ? std::uint64_t{tile_side * tile_side} : axes >> 8;
}

bool SpecialKernel::operator<(const SpecialKernel& other) const noexcept {
  return std::tie(is_tiles, conversion, steps, axes) <
         std::tie(other.is_tiles, other.conversion, other.steps, other.axes);
}

std::vector<SpecialPart> special_parts(const StridedCopy& whole, Squares squares) {
  validate(whole);
  std::vector<SpecialPart> parts;
  if (unit_count(whole) == 0) return parts;
  StridedCopy copy = whole;
  for (std::size_t axis = copy.lengths.size(); axis-- > 0;) {
    if (copy.lengths[axis] == 1) copy = without(copy, axis);
  }
  if (copy.lengths.empty()) {
    add_rows(copy, parts);
    return parts;
  }
  const std::size_t columns = columns_of(copy);
  const std::size_t rows = squares == Squares::kAllowed ? rows_of(copy, columns) : columns;
  if (rows == columns) {
    add_rows(copy, parts);
    return parts;
  }
  const std::int64_t wide = copy.lengths[columns] - copy.lengths[columns] % tile_side;
  const std::int64_t high = copy.lengths[rows] - copy.lengths[rows] % tile_side;
  const StridedCopy left = cut(copy, columns, 0, wide);
  add({{true, conversion_code(conversion_of(copy)), 0, 0},
       without(copy, rows, columns),
       {copy.destination_strides[rows], copy.source_strides[columns]},
       {},
       static_cast<std::size_t>(high / tile_side),
       static_cast<std::size_t>(wide / tile_side)},
      1, parts);
  add_rest(copy, columns, wide, parts);
  add_rest(left, rows, high, parts);
  return parts;
}

}  // namespace array_interface
