#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace array_interface {

/// A vector of 16 bytes, which every target that we build for has.
template <typename Unit>
struct Lanes {
  static constexpr std::size_t count = 16 / sizeof(Unit);
  typedef Unit Vector __attribute__((vector_size(16)));  // GCC takes it in a typedef only
};

/// The first (second) halves of two vectors, lane by lane.
template <typename Unit>
inline typename Lanes<Unit>::Vector zip_low(typename Lanes<Unit>::Vector a,
                                            typename Lanes<Unit>::Vector b) {
  if constexpr (sizeof(Unit) == 8) {
    return __builtin_shufflevector(a, b, 0, 2);
  } else if constexpr (sizeof(Unit) == 4) {
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
  } else if constexpr (sizeof(Unit) == 2) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  } else {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
}

template <typename Unit>
inline typename Lanes<Unit>::Vector zip_high(typename Lanes<Unit>::Vector a,
                                             typename Lanes<Unit>::Vector b) {
  if constexpr (sizeof(Unit) == 8) {
    return __builtin_shufflevector(a, b, 1, 3);
  } else if constexpr (sizeof(Unit) == 4) {
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
  } else if constexpr (sizeof(Unit) == 2) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  } else {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
  }
}

/// Transposes a square of Lanes<Unit>::count units in registers: row i of the source, whose units
/// are adjacent, becomes column i of the destination. Strides are bytes between rows.
template <typename Unit>
inline void transpose_block(unsigned char* to, std::int64_t to_stride, const unsigned char* from,
                            std::int64_t from_stride) {
  constexpr std::size_t count = Lanes<Unit>::count;
  typename Lanes<Unit>::Vector rows[count];
  typename Lanes<Unit>::Vector mixed[count];
  for (std::size_t row = 0; row < count; ++row) {
    std::memcpy(&rows[row], from + static_cast<std::int64_t>(row) * from_stride, 16);
  }
  // Each round zips the first half of the rows with the second: log2(count) perfect shuffles.
  for (std::size_t round = 1; round < count; round *= 2) {
    for (std::size_t row = 0; row < count / 2; ++row) {
      mixed[2 * row] = zip_low<Unit>(rows[row], rows[row + count / 2]);
      mixed[2 * row + 1] = zip_high<Unit>(rows[row], rows[row + count / 2]);
    }
    for (std::size_t row = 0; row < count; ++row) rows[row] = mixed[row];
  }
  for (std::size_t row = 0; row < count; ++row) {
    std::memcpy(to + static_cast<std::int64_t>(row) * to_stride, &rows[row], 16);
  }
}

}  // namespace array_interface
