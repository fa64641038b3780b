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

/// Work items of a SYCL range. Many units for each item: on a CPU device one item for each unit was
/// measured more than twice as slow.
constexpr std::size_t sycl_items(std::uint64_t count) noexcept {
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, 4096));
}

/// Calls `launch(KernelArguments&)` for each kernel launch that the copy needs: once when six axes
/// are enough (axes of length 1 need none), otherwise once for each index of the axes before the
/// innermost six; never for a copy of no elements. Launches are independent and may run in any
/// order. Throws std::invalid_argument as validate() does, before the first launch.
template <typename Launch>
void for_each_launch(const StridedCopy& copy, Launch&& launch) {
  validate(copy);
  if (unit_count(copy) == 0) return;
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    if (copy.lengths[axis] != 1) axes.push_back(axis);
  }
  const auto inner = axes.end() - static_cast<std::ptrdiff_t>(std::min(axes.size(), kernel_rank));
  KernelArguments arguments;
  arguments.count = 1;
  for (auto axis = inner; axis != axes.end(); ++axis) {
    const auto place = static_cast<std::size_t>(axis - inner);
    arguments.lengths[place] = copy.lengths[*axis];
    arguments.destination_strides[place] = copy.destination_strides[*axis];
    arguments.source_strides[place] = copy.source_strides[*axis];
    arguments.count *= static_cast<std::uint64_t>(copy.lengths[*axis]);
  }
  arguments.rank = static_cast<std::int32_t>(axes.end() - inner);
  axes.erase(inner, axes.end());
  for_each_offset(copy, axes, [&](std::int64_t to, std::int64_t from) {
    arguments.destination = static_cast<char*>(copy.destination) + to;
    arguments.source = static_cast<const char*>(copy.source) + from;
    launch(arguments);
  });
}

}  // namespace array_interface
