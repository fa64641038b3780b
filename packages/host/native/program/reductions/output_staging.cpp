#include "output_staging.hpp"

#include <algorithm>

#include "kernels/host/copy.hpp"
#include "units.hpp"

namespace array_interface {

namespace {

/// So many bytes have several lines for each of many rows that are written.
constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;

std::byte* StartOf(const StagedOutputs& outputs, const PlacedArray& array, std::uint64_t index) {
  std::byte* start = array.base;
  for (std::size_t axis = outputs.computed; axis-- > 0; index /= outputs.shape[axis]) {
    start += static_cast<std::int64_t>(index % outputs.shape[axis]) * array.strides[axis];
  }
  return start;
}

}  // namespace

OutputStaging::OutputStaging(const ReductionCall& call, ProgramCall& finish)
    : outputs_(*call.staged), finish_(finish), program_(*finish.program) {
  std::uint64_t bytes = 0;
  for (std::size_t index = 0; index < program_.arrays.size(); ++index) {
    if (outputs_.arrays[index].base != nullptr) bytes += program_.arrays[index].item_size;
  }
  most_ = std::min(std::max<std::uint64_t>(kBytes / bytes, ChunkOf(call)), call.outputs);
  for (std::size_t index = 0; index < program_.arrays.size(); ++index) {
    if (outputs_.arrays[index].base == nullptr) continue;
    const std::uint32_t size = program_.arrays[index].item_size;
    const auto all = static_cast<std::size_t>(most_) * size;
    staged_.push_back({index, size, std::make_unique<ScratchBlock>(all)});
    program_.arrays[index].layout = Layout::kDense;
  }
  finish.program = &program_;
}

void OutputStaging::Place(std::uint64_t first, std::size_t count) {
  if (first != end_ || first + count - begin_ > most_) {
    Flush();
    begin_ = first;
  }
  end_ = first + count;
  for (const Staged& one : staged_) {
    finish_.arrays[one.index].base = one.results->get();
    finish_.arrays[one.index].first = begin_;
  }
}

void OutputStaging::Flush() {
  // As few boxes as there are: each begins and ends at whole indices of an axis.
  for (std::uint64_t at = begin_; at < end_;) {
    std::size_t axis = outputs_.computed;
    std::uint64_t step = 1;
    while (axis > 1 && at % (step * outputs_.shape[axis - 1]) == 0 &&
           at + step * outputs_.shape[axis - 1] <= end_) {
      step *= outputs_.shape[--axis];
    }
    const std::uint64_t length = axis == 0 ? 1 : outputs_.shape[axis - 1];
    const std::uint64_t left = length - at / step % length;
    const std::uint64_t steps = std::min(left, (end_ - at) / step);
    CopyBox(at, axis, steps);
    at += steps * step;
  }
  begin_ = end_;
}

/// Copies outputs from one on: so many steps along the axis before one, and all of the others.
void OutputStaging::CopyBox(std::uint64_t first, std::size_t axis, std::uint64_t length) const {
  const std::size_t from = axis == 0 ? 0 : axis - 1;
  for (const Staged& one : staged_) {
    const PlacedArray& array = outputs_.arrays[one.index];
    StridedCopy copy{StartOf(outputs_, array, first), nullptr, one.size, {}, {}, {}};
    copy.source = one.results->get() + (first - begin_) * one.size;
    const auto start = static_cast<std::ptrdiff_t>(from);
    copy.lengths.assign(outputs_.shape.begin() + start, outputs_.shape.end());
    copy.destination_strides.assign(array.strides.begin() + start, array.strides.end());
    copy.source_strides.resize(copy.lengths.size());
    std::int64_t step = one.size;
    for (std::size_t at = outputs_.computed; at-- > from; step *= copy.lengths[at - from]) {
      copy.source_strides[at - from] = step;
    }
    if (axis > 0) copy.lengths[0] = static_cast<std::int64_t>(length);
    strided_copy(copy);
  }
}

}  // namespace array_interface
