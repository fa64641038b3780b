#include "elements.hpp"

#include <algorithm>

#include "axes.hpp"
#include "units.hpp"

namespace array_interface {

const Sources& Elements::Map(std::uint64_t first, std::size_t count) {
  if (!mapped_) mapped_.emplace(call_, memory_);
  return mapped_->Map(first, count, needed_);
}

const Sources& Elements::Along(std::uint64_t output, std::uint64_t first, std::size_t count) {
  if (call_.output_step) return InArray(ElementAt(output * call_.elements + first));
  return Map(call_.is_across ? first : output * call_.elements + first, count);
}

const Sources& Elements::AlongUpTo(std::uint64_t output, std::uint64_t first, std::size_t fewest,
                                   std::size_t& count) {
  const std::uint64_t index = output * call_.elements + first;
  if (!AreInPlace(call_)) return Map(index, count);
  const std::uint64_t row = call_.element.shape.back();
  const std::uint64_t left = row - index % row;
  const bool are_enough = left >= std::min(fewest, count);
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, are_enough ? left : fewest));
  return are_enough ? InArray(ElementAt(index)) : Map(index, count);
}

const Sources& Elements::Across(std::uint64_t output, std::size_t width, std::uint64_t element) {
  if (call_.row_outputs > 0) return InArray(ElementAt(element * call_.outputs + output));
  return Map(element * call_.outputs + output, width);
}

const Sources& Elements::AcrossUpTo(std::uint64_t output, std::size_t width, std::uint64_t element,
                                    std::size_t& rows) {
  std::uint64_t most = 1;
  if (call_.row_outputs > 0) {
    most = EvenlyFrom(element);
  } else if (width == call_.outputs) {
    most = std::max<std::uint64_t>(1, ChunkOf(call_) / width);
  }
  rows = static_cast<std::size_t>(std::min<std::uint64_t>(rows, most));
  return Across(output, rows * width, element);
}

std::int64_t Elements::RowStep() const {
  return StepAlong(call_.element.shape.size() - call_.outer - 1);
}

std::uint64_t Elements::EvenlyFrom(std::uint64_t element) const {
  const std::uint64_t rows = call_.element.shape[call_.element.shape.size() - call_.outer - 1];
  return rows - element % rows;
}

std::int64_t Elements::OutputStep() const { return StepAlong(call_.outer - 1); }

std::pair<std::uint64_t, std::int64_t> Elements::EvenRows() const {
  const std::size_t axis = call_.element.shape.size() - 2;
  return {call_.element.shape[axis], StepAlong(axis)};
}

const Sources& Elements::InRow(std::uint64_t output, std::uint64_t element) {
  return InArray(ElementAt(output * call_.elements + element));
}

/// The elements of the array from one to the next one along an axis.
std::int64_t Elements::StepAlong(std::size_t axis) const {
  const auto size = static_cast<std::int64_t>(SizeOf(reduction_.element_types[0]));
  return call_.element.arrays[SourceOf(reduction_)].strides[axis] / size;
}

/// Elements from one of the array on.
const Sources& Elements::InArray(const std::byte* first) {
  in_array_[0] = first;
  return in_array_;
}

/// Where an element of the loop is in the array.
const std::byte* Elements::ElementAt(std::uint64_t index) const {
  const std::vector<std::uint64_t>& shape = call_.element.shape;
  return AddressAt(call_.element.arrays[SourceOf(reduction_)], shape, shape.size(), index);
}

}  // namespace array_interface
