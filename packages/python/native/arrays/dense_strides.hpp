#pragma once

#include <cstdint>
#include <vector>

namespace array_interface {

/// The strides of C order. `unit` is the last axis's stride: 1 for strides in elements, the item
/// size for strides in bytes. 0 if one does not fit in 64 bits, which is possible only for an array
/// that fits in no memory, or has no elements.
inline std::vector<std::int64_t> DenseStrides(const std::vector<std::int64_t>& shape,
                                              std::int64_t unit = 1) {
  std::vector<std::int64_t> strides(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = unit;
    const std::int64_t length = shape[axis] > 0 ? shape[axis] : 1;
    if (__builtin_mul_overflow(unit, length, &unit)) unit = 0;
  }
  return strides;
}

}  // namespace array_interface
