#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace array_interface {

/// Cuts elements of a shape in C order, from `first` to before `end`, into as few boxes as there
/// are: calls `work(first, axis, length)` for each, of so many indices along an axis and all of the
/// axes behind it.
template <typename Work>
void ForEachBox(const std::uint64_t* shape, std::size_t axes, std::uint64_t first,
                std::uint64_t end, Work&& work) {
  while (first < end) {
    std::size_t axis = axes - 1;
    std::uint64_t step = 1;  // from an index along the axis to the next one
    while (axis > 0 && first % (step * shape[axis]) == 0 && first + step * shape[axis] <= end) {
      step *= shape[axis--];
    }
    const std::uint64_t left = shape[axis] - first / step % shape[axis];
    const std::uint64_t length = std::min(left, (end - first) / step);
    work(first, axis, length);
    first += length * step;
  }
}

}  // namespace array_interface
