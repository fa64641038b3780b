#include "kernels/host.hpp"

#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/launch.hpp"
#include "kernels/offsets.hpp"
#include "kernels/portable.h"

namespace array_interface {
namespace {

#include "kernels/strided_copy.cl"  // NOLINT: the kernels themselves, as C++

using Kernel = decltype(&strided_copy_1);

Kernel kernel_for(std::uint32_t unit) noexcept {
  switch (unit) {
    case 1:
      return strided_copy_1;
    case 2:
      return strided_copy_2;
    case 4:
      return strided_copy_4;
    case 8:
      return strided_copy_8;
    default:
      return strided_copy_16;
  }
}

/// Takes the innermost axes that are contiguous on both sides off `axes`; returns the bytes of a
/// run.
std::size_t take_run(const StridedCopy& copy, std::vector<std::size_t>& axes) {
  std::int64_t run = copy.unit;
  for (; !axes.empty(); axes.pop_back()) {
    const std::size_t axis = axes.back();
    if (copy.lengths[axis] == 1) continue;
    if (copy.destination_strides[axis] != run || copy.source_strides[axis] != run) break;
    run *= copy.lengths[axis];
  }
  return static_cast<std::size_t>(run);
}

}  // namespace

void strided_copy(const StridedCopy& copy) {
  validate(copy);
  if (unit_count(copy) == 0) return;
  auto* const destination = static_cast<unsigned char*>(copy.destination);
  const auto* const source = static_cast<const unsigned char*>(copy.source);
  std::vector<std::size_t> axes(copy.lengths.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const std::size_t run = take_run(copy, axes);
  if (run > copy.unit || axes.empty()) {
    for_each_offset(copy, axes, [&](std::int64_t to, std::int64_t from) {
      std::memmove(destination + to, source + from, run);
    });
    return;
  }
  // Row by row: one axis costs the kernel no division.
  for_each_launch(
      copy, [&](const KernelArguments& row) { run_kernel(copy.unit, row); }, LaunchLimits{1});
}

void run_kernel(std::uint32_t unit, const KernelArguments& arguments) noexcept {
  const auto& n = arguments.lengths;
  const auto& d = arguments.destination_strides;
  const auto& s = arguments.source_strides;
  kernel_for(unit)(static_cast<unsigned char*>(arguments.destination),
                   static_cast<const unsigned char*>(arguments.source), arguments.count,
                   arguments.rank, n[0], n[1], n[2], n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4],
                   d[5], s[0], s[1], s[2], s[3], s[4], s[5]);
}

}  // namespace array_interface
