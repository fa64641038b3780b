#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/launch/kernel_arguments.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/row_arguments.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// A part of a copy that one kernel of row_copy performs: `columns` along each row. One item
/// handles all channels of a column.
struct RowPart {
  std::uint32_t conversion;  ///< CONVERSION; a type to itself if bytes are unchanged
  std::uint32_t steps;       ///< STEPS
  std::uint32_t axes;        ///< AXES
  StridedCopy rows;          ///< the remaining axes
  StridePair inner;          ///< arguments of the kernel
  StridePair channel;        ///< likewise
  std::size_t columns;

  std::uint64_t channels() const noexcept { return axes >> 8; }

  /// Limits of one launch of `rows`: a SYCL runtime counts the items of a launch in an int.
  LaunchLimits limits() const noexcept { return {kernel_rank, 0x7fffffff / columns}; }
};

/// Splits a copy into the few parts that the kernels perform; none for a copy of no elements. Every
/// element is in exactly one part. Throws std::invalid_argument as validate() does.
std::vector<RowPart> row_parts(const StridedCopy& copy);

/// Whether most of a copy is long rows, or columns of few channels that are close together on both
/// sides. On CPUs nothing else is faster for these.
bool is_worth_rows(const StridedCopy& copy);

/// Calls `launch(RowArguments&)` for each launch that the part needs. A launch has an item for each
/// row (its `layout.count`) and column. Launches are independent.
template <typename Launch>
void for_each_row_launch(const RowPart& part, Launch&& launch) {
  const auto make = [&](const KernelArguments& layout) {
    RowArguments arguments{layout, part.inner, part.channel};
    launch(arguments);
  };
  for_each_launch(part.rows, make, part.limits());
}

}  // namespace array_interface
