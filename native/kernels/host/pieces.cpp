#include "kernels/host/pieces.hpp"

#include <algorithm>
#include <cstdint>

namespace array_interface {
namespace {

constexpr std::int64_t page_bytes = 4096;

/// Pieces that are many times this long start at multiples of it, which keeps whole vectors
/// aligned.
constexpr std::int64_t grain = 64;

/// Whether pieces along an axis differ little in size and are far apart from one another.
bool is_suitable(const StridedCopy& copy, std::size_t axis, std::int64_t count) {
  const std::int64_t piece = copy.lengths[axis] / count;
  const bool is_even = piece >= 1 && (copy.lengths[axis] % count == 0 || piece >= 8);
  const auto is_apart = [&](std::int64_t stride) {
    return piece * stride >= page_bytes || piece * stride <= -page_bytes;
  };
  const std::int64_t from = copy.source_strides[axis];
  return is_even && is_apart(copy.destination_strides[axis]) && (from == 0 || is_apart(from));
}

std::size_t axis_to_cut(const StridedCopy& copy, std::int64_t count) {
  std::size_t longest = 0;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    if (is_suitable(copy, axis, count)) return axis;
    if (copy.lengths[axis] > copy.lengths[longest]) longest = axis;
  }
  return longest;
}

}  // namespace

std::vector<StridedCopy> pieces_of(const StridedCopy& copy, std::size_t most) {
  if (most < 2 || unit_count(copy) < 2) return {copy};
  const std::size_t axis = axis_to_cut(copy, static_cast<std::int64_t>(most));
  const std::int64_t length = copy.lengths[axis];
  const std::int64_t count = std::min(static_cast<std::int64_t>(most), length);
  const auto start_of = [&](std::int64_t index) {
    const std::int64_t start = length / count * index + std::min(index, length % count);
    return index < count && length / count >= 16 * grain ? start - start % grain : start;
  };
  std::vector<StridedCopy> pieces;
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t start = start_of(index);
    pieces.push_back(cut(copy, axis, start, start_of(index + 1) - start));
  }
  return pieces;
}

}  // namespace array_interface
