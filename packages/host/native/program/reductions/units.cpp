#include "units.hpp"

#include <algorithm>

namespace array_interface {

namespace {

/// Mapped elements, if a program combines one row of all their leaves.
constexpr std::size_t kChunkOfPairs = 4 * kChunk;
/// The same, if a loop combines them: a first cache has them, so that arrays alone use the others.
constexpr std::size_t kChunkOfLoops = 1024;
/// A row in which one vector keeps a core busy, since the next rows follow.
constexpr std::uint64_t kShortRow = 1024;
/// Outputs that are computed at once, if a tree has one leaf, or their rows lie beside one another:
/// no levels, and lanes that a first or second cache has.
constexpr std::size_t kLeafWidth = 256;
/// The same, if an output has one value.
constexpr std::size_t kManyWidth = 1024;

/// Whether one value of each output is enough, since elements may be combined in any order.
bool IsWithoutLanes(const ReductionCall& call) {
  return IsPlace(*call.reduction) || (call.reduction->is_exact && call.is_across);
}

/// The outputs that follow one another evenly.
std::uint64_t LineOf(const ReductionCall& call) {
  if (call.row_outputs > 0) return call.row_outputs;
  const bool are_lines = call.row_elements > 0 && call.outer > 1;
  return are_lines ? call.element.shape[call.outer - 1] : call.end - call.first;
}

/// The outputs that may be one unit.
std::uint64_t MostWidth(const ReductionCall& call) {
  if (call.row_elements > 0) return kLeafWidth;
  if (!call.is_across) return AreFewOf(call) ? ChunkOf(call) / call.elements : 1;
  if (IsWithoutLanes(call)) return kManyWidth;
  return call.tree.leaves == 1 ? kLeafWidth : kWidth;
}

}  // namespace

bool AreInPlace(const ReductionCall& call) {
  if (call.output_step || call.row_outputs > 0 || call.row_elements > 0) return true;
  if (!call.reduction->is_load || call.element.shape.back() < kChunk) return false;
  const std::int64_t step = call.element.arrays[SourceOf(*call.reduction)].strides.back();
  return step == static_cast<std::int64_t>(SizeOf(call.reduction->element_types[0]));
}

std::size_t ChunkOf(const ReductionCall& call) {
  const Reduction& reduction = *call.reduction;
  if (reduction.is_scan) return kChunk;
  const bool is_place = IsPlace(reduction);
  if (!is_place && !HasLoops(reduction)) return kChunkOfPairs;
  const std::size_t most = AreInPlace(call) ? kChunk : kChunkOfLoops;
  return is_place ? most * sizeof(double) / SizeOf(reduction.types[0]) : most;
}

std::size_t LanesOf(const Reduction& reduction, std::size_t width, std::uint64_t elements) {
  const std::size_t size = std::max(SizeOf(reduction.element_types[0]), SizeOf(reduction.types[0]));
  const bool is_short = elements * width * size < kShortRow;
  const std::size_t row = (is_short ? kLine : kRowBytes) / size / width;
  const std::uint64_t most = std::min<std::uint64_t>(elements, row);
  std::size_t lanes = 1;
  while (lanes * 2 <= most) lanes *= 2;
  return lanes;
}

bool AreFewOf(const ReductionCall& call) {
  const bool is_whole = !call.reduction->is_split && !call.reduction->is_scan;
  return is_whole && !call.is_across && call.row_elements == 0 &&
         call.elements <= ChunkOf(call) / 2;
}

Units::Units(const ReductionCall& call) : call_(call), line_(LineOf(call)) {
  const std::uint64_t most = MostWidth(call);
  strips_ = PartsOf(line_, most);
  width_ = call.is_across ? PartsOf(line_, strips_) : std::min(line_, most);
}

std::uint64_t Units::count() const {
  return (call_.end - call_.first) / line_ * strips_ * call_.tree.pieces;
}

Unit Units::operator[](std::uint64_t index) const {
  const std::uint64_t strip = index / call_.tree.pieces;
  const std::uint64_t before = strip % strips_ * width_;
  return {call_.first + strip / strips_ * line_ + before,
          static_cast<std::size_t>(std::min(width_, line_ - before)), index % call_.tree.pieces};
}

std::uint64_t Units::lanes() const {
  if (call_.row_elements > 0) return LanesOf(*call_.reduction, 1, call_.row_elements);
  return IsWithoutLanes(call_) ? 1 : call_.tree.lanes;
}

}  // namespace array_interface
