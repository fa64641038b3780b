#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Calls `visit(to, from)` with the byte offsets in destination and source for each index of the
/// given axes, in C order. Calls it once with 0, 0 if there are no axes. No length may be 0.
template <typename Visit>
void for_each_offset(const StridedCopy& copy, const std::vector<std::size_t>& axes, Visit&& visit) {
  std::vector<std::int64_t> indices(axes.size(), 0);
  std::int64_t to = 0;
  std::int64_t from = 0;
  for (;;) {
    visit(to, from);
    std::size_t place = axes.size();  // one past the axis being advanced; 0 when all are done
    for (; place > 0; --place) {
      const std::size_t axis = axes[place - 1];
      std::int64_t& index = indices[place - 1];
      const std::int64_t step = index + 1 < copy.lengths[axis] ? 1 : -index;
      to += step * copy.destination_strides[axis];
      from += step * copy.source_strides[axis];
      index += step;
      if (step == 1) break;
    }
    if (place == 0) return;
  }
}

}  // namespace array_interface
