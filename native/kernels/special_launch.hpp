#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/launch.hpp"
#include "kernels/special_arguments.hpp"
#include "kernels/strided_copy.hpp"

namespace array_interface {

/// A type that moves units of this size as they are.
ElementType type_of_unit(std::uint32_t unit);

/// The copy without one of its axes.
StridedCopy without(StridedCopy copy, std::size_t axis);

/// One of two kernels, and what it is specialised for. Ordered, as a key.
struct SpecialKernel {
  bool is_tiles;             ///< tiled_copy rather than row_copy
  std::uint32_t conversion;  ///< conversion_code(); a type to itself where bytes stay as they are
  std::uint32_t steps;       ///< STEPS
  std::uint32_t axes;        ///< AXES

  const char* name() const noexcept { return is_tiles ? "tiled_copy" : "row_copy"; }
  /// Units that each item copies.
  std::uint64_t units_of_item() const noexcept;
  bool operator<(const SpecialKernel& other) const noexcept;
};

/// A part of a copy that one kernel does: `columns` along each row, or squares of each pair of
/// axes.
struct SpecialPart {
  SpecialKernel kernel;
  StridedCopy around;  ///< the axes that are left: rows, or pairs of axes
  StridePair inner;    ///< arguments of the kernel
  StridePair channel;  ///< likewise
  /// Items along the kernel's first index and, for tiles, the second.
  std::size_t first;
  std::size_t second;

  /// What one launch may hold of `around`: a SYCL runtime counts the items of a launch in an int.
  LaunchLimits limits() const noexcept { return {kernel_rank, 0x7fffffff / (first * second)}; }
};

/// Whether a device has memory for a square to each item: CPUs do, in their caches.
enum class Squares { kAllowed, kRefused };

/// Cuts a copy into the few parts that the kernels do; none for a copy of no elements. Every
/// element is in one part. Throws std::invalid_argument as validate() does.
std::vector<SpecialPart> special_parts(const StridedCopy& copy,
                                       Squares squares = Squares::kAllowed);

/// One launch: how many items along each index, the slowest first, and the arguments.
struct SpecialLaunch {
  std::array<std::size_t, 3> items;
  std::size_t rank;  ///< of `items`
  SpecialArguments arguments;
};

/// Calls `launch(SpecialLaunch&)` for each launch that the part needs. They are independent.
template <typename Launch>
void for_each_special_launch(const SpecialPart& part, Launch&& launch) {
  const auto make = [&](const KernelArguments& layout) {
    SpecialLaunch made{{}, 0, {layout, part.inner, part.channel}};
    const auto count = static_cast<std::size_t>(layout.count);
    if (part.kernel.is_tiles) {
      made.items = {count, part.second, part.first};
      made.rank = 3;
    } else {
      made.items = {count, part.first, 1};
      made.rank = 2;
    }
    launch(made);
  };
  for_each_launch(part.around, make, part.limits());
}

}  // namespace array_interface
