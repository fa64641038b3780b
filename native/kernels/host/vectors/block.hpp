#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace array_interface {

/// A vector of `count` units: 4 to 16 bytes, which every supported target has.
template <typename Unit, std::size_t count>
struct Lanes {
  // GCC accepts the attribute only in a typedef.
  typedef Unit Vector __attribute__((vector_size(count * sizeof(Unit))));
};

/// Zips the halves that begin at `half` of two vectors, lane by lane.
template <std::size_t half, typename Vector, std::size_t... lane>
inline Vector zip(Vector a, Vector b, std::index_sequence<lane...>) {
  return __builtin_shufflevector(a, b, (half + lane / 2 + lane % 2 * sizeof...(lane))...);
}

/// Transposes a square of `count` by `count` units in registers. Column c has adjacent units and
/// starts at `columns[c] + offset`. Line l has adjacent units and starts at `to + lines[l]`.
template <typename Unit, std::size_t count>
inline void transpose_block(unsigned char* to, const std::int64_t* lines,
                            const unsigned char* const* columns, std::size_t offset) {
  using Vector = typename Lanes<Unit, count>::Vector;
  constexpr std::make_index_sequence<count> all;
  Vector rows[count];
  Vector mixed[count];
  for (std::size_t row = 0; row < count; ++row) {
    std::memcpy(&rows[row], columns[row] + offset, sizeof(Vector));
  }
  // Each round zips the first half of the rows with the second: log2(count) perfect shuffles.
  for (std::size_t round = 1; round < count; round *= 2) {
    for (std::size_t row = 0; row < count / 2; ++row) {
      mixed[2 * row] = zip<0>(rows[row], rows[row + count / 2], all);
      mixed[2 * row + 1] = zip<count / 2>(rows[row], rows[row + count / 2], all);
    }
    for (std::size_t row = 0; row < count; ++row) rows[row] = mixed[row];
  }
  for (std::size_t row = 0; row < count; ++row) {
    std::memcpy(to + lines[row], &rows[row], sizeof(Vector));
  }
}

/// transpose_block() for four columns and two lines of 8 bytes, with 32-byte vectors whose halves
/// never mix. For FOR_WIDE_VECTORS functions only. Passes nothing by value, which would need its
/// own ABI.
inline void transpose_pair(unsigned char* to, const std::int64_t* lines,
                           const unsigned char* const* columns, std::size_t offset) {
  typedef std::uint64_t Half __attribute__((vector_size(16)));
  typedef std::uint64_t Vector __attribute__((vector_size(32)));
  Half halves[4];
  for (std::size_t column = 0; column < 4; ++column) {
    std::memcpy(&halves[column], columns[column] + offset, sizeof(Half));
  }
  const Vector even = __builtin_shufflevector(halves[0], halves[2], 0, 1, 2, 3);
  const Vector odd = __builtin_shufflevector(halves[1], halves[3], 0, 1, 2, 3);
  const Vector first = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
  const Vector second = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
  std::memcpy(to + lines[0], &first, sizeof(Vector));
  std::memcpy(to + lines[1], &second, sizeof(Vector));
}

}  // namespace array_interface
