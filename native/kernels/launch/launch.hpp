#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/launch/kernel_arguments.hpp"
#include "kernels/layout/offsets.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Threads of a CUDA block, and blocks of a grid. Each unit has a thread until the grid is full.
inline constexpr std::uint32_t cuda_block = 256;
constexpr std::uint32_t cuda_grid(std::uint64_t count) noexcept {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>((count + cuda_block - 1) / cuda_block, 65535));
}

/// The limits of one kernel launch: axes, and units, which it counts in 32 bits.
struct LaunchLimits {
  std::size_t axes = kernel_rank;
  std::uint64_t units = 0x7fffffff;
};

/// The axes of a copy that are longer than 1, split into those of one launch and the others.
struct LaunchAxes {
  std::vector<std::size_t> outer;  ///< each index of these has one launch or more
  std::vector<std::size_t> inner;
  std::uint64_t whole = 1;   ///< units of `inner`, without the axis that is cut
  std::int64_t cut = 0;      ///< length of the first of `inner` if it is cut; otherwise 0
  std::int64_t longest = 1;  ///< length of its longest piece
};

inline LaunchAxes launch_axes(const StridedCopy& copy, LaunchLimits limits = {}) {
  LaunchAxes axes;
  auto& [outer, inner, whole, cut, longest] = axes;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    if (copy.lengths[axis] != 1) outer.push_back(axis);
  }
  std::uint64_t room = limits.units;
  while (!outer.empty() && inner.size() < limits.axes &&
         static_cast<std::uint64_t>(copy.lengths[outer.back()]) <= room) {
    room /= static_cast<std::uint64_t>(copy.lengths[outer.back()]);
    whole *= static_cast<std::uint64_t>(copy.lengths[outer.back()]);
    inner.insert(inner.begin(), outer.back());
    outer.pop_back();
  }
  if (!outer.empty() && inner.size() < limits.axes && room > 1) {
    cut = copy.lengths[outer.back()];
    longest = static_cast<std::int64_t>(room);
    inner.insert(inner.begin(), outer.back());
    outer.pop_back();
  }
  return axes;
}

/// Calls `launch(KernelArguments&)` for each kernel launch that the copy needs. One launch suffices
/// for six axes (not counting axes of length 1) and fewer than 2^31 units. Otherwise there is one
/// for each index of the outer axes, and for each piece of an axis that is too long. A copy of no
/// elements needs none. Launches are independent and may run in any order. Throws
/// std::invalid_argument as validate() does, before the first launch.
template <typename Launch>
void for_each_launch(const StridedCopy& copy, Launch&& launch, LaunchLimits limits = {}) {
  validate(copy);
  if (unit_count(copy) == 0) return;
  const LaunchAxes axes = launch_axes(copy, limits);
  KernelArguments arguments;
  arguments.rank = static_cast<std::int32_t>(axes.inner.size());
  for (std::size_t place = 0; place < axes.inner.size(); ++place) {
    arguments.lengths[place] = copy.lengths[axes.inner[place]];
    arguments.destination_strides[place] = copy.destination_strides[axes.inner[place]];
    arguments.source_strides[place] = copy.source_strides[axes.inner[place]];
  }
  arguments.count = axes.whole;
  for_each_offset(copy, axes.outer, [&](std::int64_t to, std::int64_t from) {
    arguments.destination = static_cast<char*>(copy.destination) + to;
    arguments.source = static_cast<const char*>(copy.source) + from;
    if (axes.cut == 0) launch(arguments);
    for (std::int64_t start = 0; start < axes.cut; start += axes.longest) {
      arguments.lengths[0] = std::min(axes.longest, axes.cut - start);
      arguments.count = axes.whole * static_cast<std::uint64_t>(arguments.lengths[0]);
      launch(arguments);
      if (axes.cut - start <= axes.longest) break;
      arguments.destination = static_cast<char*>(arguments.destination) +
                              axes.longest * arguments.destination_strides[0];
      arguments.source =
          static_cast<const char*>(arguments.source) + axes.longest * arguments.source_strides[0];
    }
  });
}

}  // namespace array_interface
