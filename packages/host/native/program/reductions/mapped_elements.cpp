#include "mapped_elements.hpp"

#include <cstring>

#include "units.hpp"

namespace array_interface {

namespace {

/// The rows that are copied, if any: many elements of an output are taken in C order.
std::optional<StagedRows> RowsOf(const ReductionCall& call) {
  if (call.reduction->is_scan) return std::nullopt;
  const bool is_ordered = !call.is_across && !AreFewOf(call);
  const auto turned = is_ordered ? FindTurnedRows(call.element, call.outer) : std::nullopt;
  const bool is_place_of_bool =
      IsPlace(*call.reduction) && call.reduction->types[0] == ValueType::kBool;
  const bool may_end = is_place_of_bool || call.reduction->absorbs != Absorbs::kNothing;
  return turned ? turned : FindShortRows(call.element, may_end);
}

}  // namespace

// The last leaf is mapped with what joins it.
MappedElements::MappedElements(const ReductionCall& call, ValueMemory& memory)
    : reduction_(*call.reduction),
      element_(call.element),
      staging_(element_, RowsOf(call)),
      worker_(element_, 2 * ChunkOf(call)),
      mapped_(reduction_.types.size()),
      buffer_(memory.New(2 * ChunkOf(call), reduction_.element_types)) {}

const Sources& MappedElements::Map(std::uint64_t first, std::size_t count, std::uint64_t end) {
  for (std::size_t before = 0; before < count;) {
    const std::uint64_t start = first + before;
    const std::size_t there = staging_.Fill(start, count - before, end);
    worker_.Run(start, start + there,
                [&](std::size_t at, std::size_t done) { Keep(before + at, done, count); });
    before += there;
  }
  return mapped_;
}

/// Keeps what was mapped of `count` elements, unless that is all.
void MappedElements::Keep(std::size_t before, std::size_t done, std::size_t count) {
  for (std::size_t index = 0; index < element_.program->store_count; ++index) {
    mapped_[index] = done == count ? worker_.Result(index) : buffer_[index];
    if (done == count) continue;
    const std::size_t size = SizeOf(reduction_.element_types[index]);
    std::memcpy(buffer_[index] + before * size, worker_.Result(index), done * size);
  }
}

}  // namespace array_interface
