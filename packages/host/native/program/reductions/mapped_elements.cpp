#include "mapped_elements.hpp"

#include <cstring>

#include "units.hpp"

namespace array_interface {

namespace {

/// The first axis of those along which many elements are taken in C order.
std::size_t OrderedFrom(const ReductionCall& call) {
  const bool is_ordered = !call.is_across && !call.reduction->is_scan && !AreFewOf(call);
  return is_ordered ? call.outer : call.element.shape.size();
}

}  // namespace

// The last leaf is mapped with what joins it.
MappedElements::MappedElements(const ReductionCall& call, ValueMemory& memory)
    : reduction_(*call.reduction),
      element_(call.element),
      staging_(element_, OrderedFrom(call)),
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
