#include "output_staging.hpp"

#include <algorithm>
#include <utility>

#include "axes.hpp"
#include "kernels/host/copy.hpp"
#include "staging.hpp"
#include "units.hpp"

namespace array_interface {

namespace {

/// So many bytes have several lines for each of many rows that are written.
constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;
/// Fewer outputs are stored where they belong one by one.
constexpr std::uint64_t kMany = 256;

bool HasIndex(const Program& program) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const Instruction& one) { return one.operation == Operation::kIndex; });
}

/// Whether results are all bytes of the elements of arrays, each once.
bool WritesAll(const ProgramCall& finish) {
  const Program& program = *finish.program;
  std::vector<std::uint32_t> written(program.arrays.size(), 0);
  for (const Instruction& one : program.instructions) {
    if (one.operation != Operation::kStore) continue;
    const std::size_t size = SizeOf(one.type);
    if ((one.part + 1) * size > kMostUnit) return false;
    const std::uint32_t bytes = ((1U << size) - 1) << (one.part * size);
    if ((written[one.source] & bytes) != 0) return false;
    written[one.source] |= bytes;
  }
  bool has_outputs = false;
  for (std::size_t index = 0; index < written.size(); ++index) {
    const std::uint32_t size = program.arrays[index].item_size;
    if (finish.arrays[index].base == nullptr) continue;
    if (!IsUnit(size) || written[index] != (1U << size) - 1) return false;
    has_outputs = true;
  }
  return has_outputs;
}

/// The outputs of a call: first the axes along which their elements differ.
StagedOutputs StagedOf(const ReductionCall& call) {
  StagedOutputs staged{{}, 0, call.finish.arrays};
  for (PlacedArray& array : staged.arrays) array.strides.clear();
  const auto add = [&](std::uint64_t length, auto stride_of) {
    staged.shape.push_back(length);
    for (std::size_t index = 0; index < staged.arrays.size(); ++index) {
      staged.arrays[index].strides.push_back(stride_of(call.finish.arrays[index]));
    }
  };
  const auto add_axes = [&](bool repeats) {
    for (std::size_t axis = 0; axis < call.outer; ++axis) {
      if (Repeats(call.element, axis) != repeats) continue;
      add(call.finish.shape[axis], [&](const PlacedArray& array) { return array.strides[axis]; });
    }
  };
  add_axes(false);
  if (staged.shape.empty()) add(1, [](const PlacedArray&) { return 0; });
  staged.computed = staged.shape.size();
  add_axes(true);
  return staged;
}

/// Whether neighbours of outputs that are computed are farther apart in memory than others.
bool IsTurned(const StagedOutputs& staged) {
  const auto is_turned = [&](const PlacedArray& array) {
    for (std::size_t axis = 1; array.base != nullptr && axis < staged.computed; ++axis) {
      if (DistanceOf(array.strides[axis - 1]) < DistanceOf(array.strides[axis])) return true;
    }
    return false;
  };
  return std::any_of(staged.arrays.begin(), staged.arrays.end(), is_turned);
}

}  // namespace

void StageOutputs(ReductionCall& call) {
  const bool are_all = call.first == 0 && call.end == call.outputs;
  if (call.outputs == 1 || !are_all || call.outer >= maximum_rank) return;
  if (HasIndex(*call.element.program) || !WritesAll(call.finish)) return;
  ProgramCall element = call.element;
  std::uint64_t repeats = 1;
  std::size_t outer = call.outer;
  for (std::size_t axis = call.outer; axis-- > 0;) {
    if (!Repeats(element, axis)) continue;
    repeats *= element.shape[axis];
    element.shape[axis] = 1;
    if (outer == 1) continue;
    Erase(element, axis);
    --outer;
  }
  const std::size_t inner = element.shape.size() - outer;
  MergeRows(element, 0, outer);
  const bool are_longer = element.shape.size() - inner < outer;
  StagedOutputs staged = StagedOf(call);
  const bool are_many = call.outputs >= kMany && (are_longer || IsTurned(staged));
  if (repeats == 1 && !are_many) return;
  element.end /= repeats;
  call.element = std::move(element);
  call.outer = call.element.shape.size() - inner;
  call.outputs = call.end = call.outputs / repeats;
  call.finish.shape = {call.outputs};
  call.finish.end = call.outputs;
  for (std::size_t index = 0; index < call.finish.arrays.size(); ++index) {
    call.finish.arrays[index].strides = {call.finish.program->arrays[index].item_size};
  }
  call.staged = std::move(staged);
}

OutputStaging::OutputStaging(const ReductionCall& call, ProgramCall& finish)
    : outputs_(*call.staged), finish_(finish), program_(*finish.program) {
  std::uint64_t bytes = 0;
  for (std::size_t index = 0; index < program_.arrays.size(); ++index) {
    if (outputs_.arrays[index].base != nullptr) bytes += program_.arrays[index].item_size;
  }
  const std::uint64_t many = kBytes / std::max<std::uint64_t>(1, bytes);
  most_ = std::min(std::max<std::uint64_t>(many, ChunkOf(call)), call.outputs);
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
  if (first != end_ || first + count - start_ > most_) {
    Flush();
    start_ = begin_ = first;
  }
  end_ = first + count;
  for (const Staged& one : staged_) {
    finish_.arrays[one.index].base = one.results->get();
    finish_.arrays[one.index].first = start_;
  }
}

void OutputStaging::Flush() {
  // As few boxes as there are: each has some indices of an axis, and all of those behind it.
  const std::vector<std::uint64_t>& shape = outputs_.shape;
  while (begin_ < end_) {
    std::size_t axis = outputs_.computed - 1;
    std::uint64_t step = 1;  // from an index along the axis to the next one
    while (axis > 0 && begin_ % (step * shape[axis]) == 0 && begin_ + step * shape[axis] <= end_) {
      step *= shape[axis--];
    }
    const std::uint64_t left = shape[axis] - begin_ / step % shape[axis];
    const std::uint64_t length = std::min(left, (end_ - begin_) / step);
    CopyBox(begin_, axis, length);
    begin_ += length * step;
  }
}

/// Copies outputs from one on: so many steps along an axis, and all of those behind it.
void OutputStaging::CopyBox(std::uint64_t first, std::size_t axis, std::uint64_t length) const {
  const auto start = static_cast<std::ptrdiff_t>(axis);
  for (const Staged& one : staged_) {
    const PlacedArray& array = outputs_.arrays[one.index];
    StridedCopy copy{nullptr, nullptr, one.size, {}, {}, {}};
    copy.destination = AddressAt(array, outputs_.shape, outputs_.computed, first);
    copy.source = one.results->get() + (first - start_) * one.size;
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
