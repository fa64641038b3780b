#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace array_interface {

/// A vector of `count` units: 4 to 16 bytes, which every target that we build for has.
template <typename Unit, std::size_t count>
struct Lanes {
  // GCC takes it in a typedef only.
  typedef Unit Vector __attribute__((vector_size(count * sizeof(Unit))));
};

/// The first halves of two vectors of `count` units, lane by lane.
template <std::size_t count, typename Vector>
inline Vector zip_low(Vector a, Vector b) {
  static_assert(count == 2 || count == 4 || count == 8 || count == 16);
  if constexpr (count == 2) {
    return __builtin_shufflevector(a, b, 0, 2);
  } else if constexpr (count == 4) {
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
  } else if constexpr (count == 8) {
    return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  } else {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
}

/// The second halves.
template <std::size_t count, typename Vector>
inline Vector zip_high(Vector a, Vector b) {
  static_assert(count == 2 || count == 4 || count == 8 || count == 16);
  if constexpr (count == 2) {
    return __builtin_shufflevector(a, b, 1, 3);
  } else if constexpr (count == 4) {
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
  } else if constexpr (count == 8) {
    return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  } else {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
  }
}

/// Transposes a square of `count` units a side in registers. Its columns, of adjacent units each,
/// begin at `columns[column] + offset`; its lines, of adjacent units, at `to + lines[line]`.
template <typename Unit, std::size_t count>
inline void transpose_block(unsigned char* to, const std::int64_t* lines,
                            const unsigned char* const* columns, std::size_t offset) {
  using Vector = typename Lanes<Unit, count>::Vector;
  Vector rows[count];
  Vector mixed[count];
  for (std::size_t row = 0; row < count; ++row) {
    std::memcpy(&rows[row], columns[row] + offset, sizeof(Vector));
  }
  // Each round zips the first half of the rows with the second: log2(count) perfect shuffles.
  for (std::size_t round = 1; round < count; round *= 2) {
    for (std::size_t row = 0; row < count / 2; ++row) {
      mixed[2 * row] = zip_low<count>(rows[row], rows[row + count / 2]);
      mixed[2 * row + 1] = zip_high<count>(rows[row], rows[row + count / 2]);
    }
    for (std::size_t row = 0; row < count; ++row) rows[row] = mixed[row];
  }
  for (std::size_t row = 0; row < count; ++row) {
    std::memcpy(to + lines[row], &rows[row], sizeof(Vector));
  }
}

/// Two squares of `count` by `count` units, side by side: vectors of 32 bytes, whose halves never
/// mix. For functions that are FOR_WIDE_VECTORS; nothing is passed by value, which would need its
/// own ABI.
template <typename Unit>
struct PairLanes {
  typedef Unit Half __attribute__((vector_size(16)));
  typedef Unit Vector __attribute__((vector_size(32)));
};

/// zip_low and zip_high of both halves.
template <typename Unit, typename Vector>
inline void zip_pairs(const Vector& a, const Vector& b, Vector& low, Vector& high) {
  if constexpr (sizeof(Unit) == 8) {
    low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  } else if constexpr (sizeof(Unit) == 4) {
    low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  } else if constexpr (sizeof(Unit) == 2) {
    low = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
    high =
        __builtin_shufflevector(a, b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31);
  } else {
    low = __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16,
                                  48, 17, 49, 18, 50, 19, 51, 20, 52, 21, 53, 22, 54, 23, 55);
    high =
        __builtin_shufflevector(a, b, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47,
                                24, 56, 25, 57, 26, 58, 27, 59, 28, 60, 29, 61, 30, 62, 31, 63);
  }
}

/// Two vectors as the halves of one.
template <typename Unit, typename Half, typename Vector>
inline void join(const Half& a, const Half& b, Vector& both) {
  if constexpr (sizeof(Unit) == 8) {
    both = __builtin_shufflevector(a, b, 0, 1, 2, 3);
  } else if constexpr (sizeof(Unit) == 4) {
    both = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  } else if constexpr (sizeof(Unit) == 2) {
    both = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  } else {
    both = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                   17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  }
}

/// As transpose_block(), of twice as many columns as lines.
template <typename Unit, std::size_t count>
inline void transpose_pair(unsigned char* to, const std::int64_t* lines,
                           const unsigned char* const* columns, std::size_t offset) {
  using Half = typename PairLanes<Unit>::Half;
  using Vector = typename PairLanes<Unit>::Vector;
  Vector rows[count];
  Vector mixed[count];
  for (std::size_t row = 0; row < count; ++row) {
    Half left;
    Half right;
    std::memcpy(&left, columns[row] + offset, sizeof left);
    std::memcpy(&right, columns[row + count] + offset, sizeof right);
    join<Unit>(left, right, rows[row]);
  }
  for (std::size_t round = 1; round < count; round *= 2) {
    for (std::size_t row = 0; row < count / 2; ++row) {
      zip_pairs<Unit>(rows[row], rows[row + count / 2], mixed[2 * row], mixed[2 * row + 1]);
    }
    for (std::size_t row = 0; row < count; ++row) rows[row] = mixed[row];
  }
  for (std::size_t row = 0; row < count; ++row) {
    std::memcpy(to + lines[row], &rows[row], sizeof(Vector));
  }
}

}  // namespace array_interface
