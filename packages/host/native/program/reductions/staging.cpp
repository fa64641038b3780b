#include "staging.hpp"

#include <algorithm>
#include <iterator>

#include "axes.hpp"
#include "kernels/host/copy_in_tiles.hpp"
#include "units.hpp"

namespace array_interface {

namespace {

/// Copies of so many bytes fit a second cache.
constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
/// Long rows take more, since a line has several of them.
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;
/// Copies of so many bytes soon take less time than a plan of them.
constexpr std::uint64_t kFewBytes = std::uint64_t{16} << 10;
/// Shorter rows are copied together.
constexpr std::uint64_t kFewElements = 32;
/// So many elements are worth the plan of a copy.
constexpr std::uint64_t kManyElements = std::uint64_t{1} << 12;

std::uint64_t Magnitude(std::int64_t stride) {
  const auto bits = static_cast<std::uint64_t>(stride);
  return stride < 0 ? 0 - bits : bits;
}

/// Whether an array has elements of its own along the axes from one on.
bool IsRead(const PlacedArray& array, std::size_t axis) {
  const auto begin = array.strides.begin() + static_cast<std::ptrdiff_t>(axis);
  const auto is_step = [](std::int64_t stride) { return stride != 0; };
  return array.base != nullptr && std::any_of(begin, array.strides.end(), is_step);
}

/// The reduced axis along which elements are the nearest, but not the same.
std::size_t NearestAxis(const PlacedArray& array, std::size_t outer) {
  const auto begin = array.strides.begin() + static_cast<std::ptrdiff_t>(outer);
  const auto is_nearer = [](std::int64_t a, std::int64_t b) {
    return a != 0 && (b == 0 || Magnitude(a) < Magnitude(b));
  };
  const auto nearest = std::min_element(begin, array.strides.end(), is_nearer);
  return static_cast<std::size_t>(std::distance(array.strides.begin(), nearest));
}

/// The axis, or one farther out from `first` on, along which there are many elements.
std::size_t OuterOf(const ProgramCall& call, std::size_t axis, std::size_t first) {
  std::uint64_t elements = 1;
  for (std::size_t at = axis; at < call.shape.size(); ++at) elements *= call.shape[at];
  while (axis > first && elements < kManyElements) elements *= call.shape[--axis];
  while (axis + 1 < call.shape.size() && call.shape[axis] == 1) ++axis;
  return axis;
}

/// Rows along an axis, of so many bytes or as many as are enough.
std::optional<StagedRows> RowsAlong(const ProgramCall& call, std::size_t axis, std::uint64_t enough,
                                    std::uint64_t wanted = kBytes) {
  if (call.shape.size() - axis > maximum_rank) return std::nullopt;
  StagedRows rows{axis, 1, 0};
  for (std::size_t behind = axis + 1; behind < call.shape.size(); ++behind) {
    rows.elements *= call.shape[behind];
  }
  std::uint64_t bytes = 0;
  for (std::size_t index = 0; index < call.arrays.size(); ++index) {
    if (!IsRead(call.arrays[index], 0)) continue;
    const std::uint32_t size = call.program->arrays[index].item_size;
    if (!IsUnit(size)) return std::nullopt;
    bytes += rows.elements * size;
  }
  if (bytes == 0) return std::nullopt;
  rows.most = std::min({std::max(enough, wanted / bytes), kMostBytes / bytes, call.shape[axis]});
  if (rows.most < 2) return std::nullopt;
  return rows;
}

}  // namespace

std::optional<StagedRows> FindTurnedRows(const ProgramCall& call, std::size_t outer) {
  const auto is_read = [&](const PlacedArray& array) { return IsRead(array, outer); };
  const auto first = std::find_if(call.arrays.begin(), call.arrays.end(), is_read);
  if (first == call.arrays.end()) return std::nullopt;
  const std::size_t axis = NearestAxis(*first, outer);
  const std::uint64_t step = Magnitude(first->strides[axis]);
  if (step >= kLine || step >= Magnitude(first->strides.back())) return std::nullopt;
  const std::uint64_t of_line = kLine / std::max<std::uint64_t>(1, step);
  return RowsAlong(call, OuterOf(call, axis, outer), of_line);
}

std::optional<StagedRows> FindShortRows(const ProgramCall& call, bool may_end) {
  const std::size_t last = call.shape.size() - 1;
  if (call.shape[last] >= kFewElements) return std::nullopt;
  const std::size_t axis = OuterOf(call, last, 0);
  if (axis == last) return std::nullopt;
  return RowsAlong(call, axis, 2, may_end ? kFewBytes : kBytes);
}

Staging::Staging(ProgramCall& call, const std::optional<StagedRows>& rows)
    : call_(call), shape_(call.shape), rows_(rows.value_or(StagedRows{})) {
  if (rows_.most == 0) return;
  program_ = *call.program;
  for (std::size_t index = 0; index < call.arrays.size(); ++index) {
    PlacedArray& array = call.arrays[index];
    if (!IsRead(array, 0)) continue;
    const std::uint32_t size = program_.arrays[index].item_size;
    const auto all = static_cast<std::size_t>(rows_.most * rows_.elements * size);
    staged_.push_back({index, array, std::make_unique<ScratchBlock>(all)});
    program_.arrays[index].layout = Layout::kDense;
    array.strides.back() = size;
  }
  call.program = &program_;
}

std::size_t Staging::Fill(std::uint64_t first, std::size_t count, std::uint64_t end) {
  if (rows_.most == 0) return count;
  if (first < begin_ || first >= end_) {
    const std::uint64_t length = shape_[rows_.axis];
    const std::uint64_t row = first / rows_.elements;
    const std::uint64_t left = length - row % length;
    const std::uint64_t needed = (std::max(end, first + 1) - 1) / rows_.elements - row + 1;
    const std::uint64_t rows = std::min({rows_.most, left, needed});
    end_ = 0;  // if a copy fails
    for (Staged& one : staged_) Copy(one, row, rows);
    begin_ = row * rows_.elements;
    end_ = begin_ + rows * rows_.elements;
  }
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, end_ - first));
}

/// Copies rows from one on. All of them are along one axis.
void Staging::Copy(Staged& one, std::uint64_t row, std::uint64_t rows) {
  const std::uint32_t size = program_.arrays[one.index].item_size;
  const auto axis = static_cast<std::ptrdiff_t>(rows_.axis);
  const std::byte* const source = AddressAt(one.source, shape_, rows_.axis + 1, row);
  StridedCopy copy{one.copies->get(), source, size, {shape_.begin() + axis, shape_.end()}, {}, {}};
  copy.lengths[0] = static_cast<std::int64_t>(rows);
  copy.source_strides.assign(one.source.strides.begin() + axis, one.source.strides.end());
  copy.destination_strides.resize(copy.lengths.size());
  std::int64_t step = size;
  for (std::size_t at = copy.lengths.size(); at-- > 0; step *= copy.lengths[at]) {
    copy.destination_strides[at] = step;
  }
  copy_in_tiles(copy, Volume::kSmall);  // into the caches, to be combined next
  call_.arrays[one.index].base = one.copies->get();
  call_.arrays[one.index].first = row * rows_.elements;
}

}  // namespace array_interface
