#include "output_staging.hpp"

#include <algorithm>

#include "kernels/host/copy.hpp"
#include "program/boxes.hpp"
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
  const auto copy = [&](std::uint64_t first, std::size_t axis, std::uint64_t length) {
    CopyBox(first, axis, length);
  };
  if (begin_ < end_) ForEachBox(outputs_.shape.data(), outputs_.computed, begin_, end_, copy);
  begin_ = end_;
}

/// Copies outputs from one on: so many steps along an axis, and all of those behind it.
void OutputStaging::CopyBox(std::uint64_t first, std::size_t axis, std::uint64_t length) const {
  const auto start = static_cast<std::ptrdiff_t>(axis);
  for (const Staged& one : staged_) {
    const PlacedArray& array = outputs_.arrays[one.index];
    StridedCopy copy{StartOf(outputs_, array, first), nullptr, one.size, {}, {}, {}};
    copy.source = one.results->get() + (first - begin_) * one.size;
    copy.lengths.assign(outputs_.shape.begin() + start, outputs_.shape.end());
    copy.lengths[0] = static_cast<std::int64_t>(length);
    copy.destination_strides.assign(array.strides.begin() + start, array.strides.end());
    copy.source_strides.resize(copy.lengths.size());  // 0 along axes that repeat
    std::int64_t step = one.size;
    for (std::size_t at = outputs_.computed; at-- > axis; step *= copy.lengths[at - axis]) {
      copy.source_strides[at - axis] = step;
    }
    strided_copy(copy);
  }
}

}  // namespace array_interface
