#include "staging.hpp"

#include <algorithm>
#include <iterator>

#include "kernels/host/copy.hpp"
#include "units.hpp"

namespace array_interface {

namespace {

/// Copies of so many bytes fit a second cache.
constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
/// Long rows take more, since a line has several of them.
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;

std::uint64_t Magnitude(std::int64_t stride) {
  const auto bits = static_cast<std::uint64_t>(stride);
  return stride < 0 ? 0 - bits : bits;
}

/// Whether copies have units of so many bytes.
bool IsUnit(std::uint32_t size) { return size <= 16 && (size & (size - 1)) == 0; }

}  // namespace

Staging::Staging(ProgramCall& call, std::size_t outer)
    : call_(call), outer_(outer), shape_(call.shape) {
  const auto is_read = [&](const PlacedArray& array) { return IsRead(array); };
  const auto first = std::find_if(call.arrays.begin(), call.arrays.end(), is_read);
  if (first == call.arrays.end()) return;
  axis_ = NearestAxis(*first);
  const std::uint64_t step = Magnitude(first->strides[axis_]);
  if (step >= kLine || step >= Magnitude(first->strides.back())) return;
  for (std::size_t axis = axis_ + 1; axis < shape_.size(); ++axis) row_ *= shape_[axis];
  std::uint64_t bytes = 0;
  for (std::size_t index = 0; index < call.arrays.size(); ++index) {
    if (!IsRead(call.arrays[index])) continue;
    const std::uint32_t size = call.program->arrays[index].item_size;
    if (!IsUnit(size)) return;
    bytes += row_ * size;
  }
  if (bytes == 0) return;
  const std::uint64_t of_line = kLine / std::max<std::uint64_t>(1, step);
  const std::uint64_t rows = std::max(of_line, kBytes / bytes);
  const std::uint64_t most = std::min({rows, kMostBytes / bytes, shape_[axis_]});
  if (most < 2) return;
  most_rows_ = most;
  program_ = *call.program;
  for (std::size_t index = 0; index < call.arrays.size(); ++index) {
    PlacedArray& array = call.arrays[index];
    if (!IsRead(array)) continue;
    const std::uint32_t size = program_.arrays[index].item_size;
    const auto all = static_cast<std::size_t>(most * row_ * size);
    staged_.push_back({index, array, std::make_unique<ScratchBlock>(all)});
    program_.arrays[index].layout = Layout::kDense;
    array.strides.back() = size;
  }
  call.program = &program_;
}

/// Whether an array has elements of its own along the reduced axes.
bool Staging::IsRead(const PlacedArray& array) const {
  const auto begin = array.strides.begin() + static_cast<std::ptrdiff_t>(outer_);
  const auto is_step = [](std::int64_t stride) { return stride != 0; };
  return array.base != nullptr && std::any_of(begin, array.strides.end(), is_step);
}

/// The reduced axis along which elements are the nearest, but not the same.
std::size_t Staging::NearestAxis(const PlacedArray& array) const {
  const auto begin = array.strides.begin() + static_cast<std::ptrdiff_t>(outer_);
  const auto is_nearer = [](std::int64_t a, std::int64_t b) {
    return a != 0 && (b == 0 || Magnitude(a) < Magnitude(b));
  };
  const auto nearest = std::min_element(begin, array.strides.end(), is_nearer);
  return static_cast<std::size_t>(std::distance(array.strides.begin(), nearest));
}

std::size_t Staging::Fill(std::uint64_t first, std::size_t count, std::uint64_t end) {
  if (most_rows_ == 0) return count;
  if (first < begin_ || first >= end_) {
    const std::uint64_t row = first / row_;
    const std::uint64_t left = shape_[axis_] - row % shape_[axis_];
    const std::uint64_t needed = (std::max(end, first + 1) - 1) / row_ - row + 1;
    const std::uint64_t rows = std::min({most_rows_, left, needed});
    end_ = 0;  // if a copy fails
    for (Staged& one : staged_) Copy(one, row, rows);
    begin_ = row * row_;
    end_ = begin_ + rows * row_;
  }
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, end_ - first));
}

/// Copies rows from one on. All of them are along one axis.
void Staging::Copy(Staged& one, std::uint64_t row, std::uint64_t rows) {
  const std::uint32_t size = program_.arrays[one.index].item_size;
  const auto axis = static_cast<std::ptrdiff_t>(axis_);
  const std::byte* source = one.source.base;
  std::uint64_t index = row;
  for (std::size_t before = axis_ + 1; before-- > 0; index /= shape_[before]) {
    source += static_cast<std::int64_t>(index % shape_[before]) * one.source.strides[before];
  }
  StridedCopy copy{one.copies->get(), source, size, {shape_.begin() + axis, shape_.end()}, {}, {}};
  copy.lengths[0] = static_cast<std::int64_t>(rows);
  copy.source_strides.assign(one.source.strides.begin() + axis, one.source.strides.end());
  copy.destination_strides.resize(copy.lengths.size());
  std::int64_t step = size;
  for (std::size_t at = copy.lengths.size(); at-- > 0; step *= copy.lengths[at]) {
    copy.destination_strides[at] = step;
  }
  strided_copy(copy);
  call_.arrays[one.index].base = one.copies->get();
  call_.arrays[one.index].first = row * row_;
}

}  // namespace array_interface
