#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/offsets.hpp"
#include "kernels/strided_copy.hpp"

namespace array_interface {

/// Threads of a CUDA block, and blocks of a grid: one thread for each unit until the grid is full.
inline constexpr std::uint32_t cuda_block = 256;
constexpr std::uint32_t cuda_grid(std::uint64_t count) noexcept {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>((count + cuda_block - 1) / cuda_block, 65535));
}

/// What one launch of a kernel may hold: axes, and units, which its indices of 32 bits can count.
struct LaunchLimits {
  std::size_t axes = kernel_rank;
  std::uint64_t units = 0x7fffffff;
};

/// Calls `launch(KernelArguments&)` for each kernel launch that the copy needs: once when six axes
/// are enough (axes of length 1 need none) and there are fewer than 2^31 units, otherwise for each
/// index of the axes before the innermost ones and for each piece of an axis that is too long;
/// never for a copy of no elements. Launches are independent and may run in any order. Throws
/// std::invalid_argument as validate() does, before the first launch.
template <typename Launch>
void for_each_launch(const StridedCopy& copy, Launch&& launch, LaunchLimits limits = {}) {
  validate(copy);
  if (unit_count(copy) == 0) return;
  std::vector<std::size_t> outer;  // loses the axes that one launch takes, innermost first
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    if (copy.lengths[axis] != 1) outer.push_back(axis);
  }
  std::vector<std::size_t> inner;
  std::uint64_t room = limits.units;
  std::uint64_t whole = 1;
  while (!outer.empty() && inner.size() < limits.axes &&
         static_cast<std::uint64_t>(copy.lengths[outer.back()]) <= room) {
    room /= static_cast<std::uint64_t>(copy.lengths[outer.back()]);
    whole *= static_cast<std::uint64_t>(copy.lengths[outer.back()]);
    inner.insert(inner.begin(), outer.back());
    outer.pop_back();
  }
  std::int64_t length = 0;  // of the axis that is cut into pieces, if there is one
  std::int64_t piece = 1;
  if (!outer.empty() && inner.size() < limits.axes && room > 1) {
    length = copy.lengths[outer.back()];
    piece = static_cast<std::int64_t>(room);
    inner.insert(inner.begin(), outer.back());
    outer.pop_back();
  }
  KernelArguments arguments;
  arguments.rank = static_cast<std::int32_t>(inner.size());
  for (std::size_t place = 0; place < inner.size(); ++place) {
    arguments.lengths[place] = copy.lengths[inner[place]];
    arguments.destination_strides[place] = copy.destination_strides[inner[place]];
    arguments.source_strides[place] = copy.source_strides[inner[place]];
  }
  arguments.count = whole;
  for_each_offset(copy, outer, [&](std::int64_t to, std::int64_t from) {
    arguments.destination = static_cast<char*>(copy.destination) + to;
    arguments.source = static_cast<const char*>(copy.source) + from;
    if (length == 0) launch(arguments);
    for (std::int64_t start = 0; start < length; start += piece) {
      arguments.lengths[0] = std::min(piece, length - start);
      arguments.count = whole * static_cast<std::uint64_t>(arguments.lengths[0]);
      launch(arguments);
      if (length - start <= piece) break;
      arguments.destination =
          static_cast<char*>(arguments.destination) + piece * arguments.destination_strides[0];
      arguments.source =
          static_cast<const char*>(arguments.source) + piece * arguments.source_strides[0];
    }
  });
}

}  // namespace array_interface
