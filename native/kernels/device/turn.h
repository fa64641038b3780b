/* Squares of units, turned. Needs portable.h.
 *
 * turn_T_N(to, lines, columns, offset, stride)  N columns of N units of type T become N lines of N
 * adjacent units at `to`. Column j begins at columns[j] + offset, and its units are `stride` bytes
 * apart, adjacent or every second; line i begins at to + lines[i]. u8 by 16 and 4, u16 by 8 and 4,
 * u32 and u64 by 4.
 *
 * On devices columns are vectors: each round zips the first half of them with the second, so that
 * log2(N) perfect shuffles turn the square. */
#ifndef ARRAY_INTERFACE_KERNELS_TURN_H
#define ARRAY_INTERFACE_KERNELS_TURN_H

#include "portable.h"

#if defined(__cplusplus)

#define TURN(T, N)                                                                                \
  INLINE void turn_##T##_##N(unsigned char *to, const i64 *lines,                                 \
                             const unsigned char *const *columns, i64 offset, i64 stride) {       \
    for (u32 line = 0; line < N; ++line) {                                                        \
      for (u32 column = 0; column < N; ++column) {                                                \
        MOVE(T, to + lines[line] + column * sizeof(T), columns[column] + offset + line * stride); \
      }                                                                                           \
    }                                                                                             \
  }

#else

#define ZIP_LOW_4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define ZIP_LOW_8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH_8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define ZIP_LOW_16(a, b) \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH_16(a, b) \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/* Every second unit, of the units from one on, and of those from N - 1 on. */
#define EVEN_4(a, b) __builtin_shufflevector(a, b, 0, 2, 5, 7)
#define EVEN_8(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 9, 11, 13, 15)
#define EVEN_16(a, b) \
  __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31)

#define TURN(T, N)                                                                                 \
  INLINE void turn_##T##_##N(local unsigned char *to, local const i64 *lines,                      \
                             global const unsigned char *const *columns, i64 offset, i64 stride) { \
    T##_##N rows[N];                                                                               \
    T##_##N mixed[N];                                                                              \
    UNROLL for (u32 row = 0; row < N; ++row) {                                                     \
      global const T *const column = (global const T *)(columns[row] + offset);                    \
      rows[row] = vload##N(0, column);                                                             \
      if (stride != sizeof(T)) rows[row] = EVEN_##N(rows[row], vload##N(0, column + N - 1));       \
    }                                                                                              \
    UNROLL for (u32 round = 1; round < N; round *= 2) {                                            \
      UNROLL for (u32 row = 0; row < N / 2; ++row) {                                               \
        mixed[2 * row] = ZIP_LOW_##N(rows[row], rows[row + N / 2]);                                \
        mixed[2 * row + 1] = ZIP_HIGH_##N(rows[row], rows[row + N / 2]);                           \
      }                                                                                            \
      UNROLL for (u32 row = 0; row < N; ++row) rows[row] = mixed[row];                             \
    }                                                                                              \
    UNROLL for (u32 row = 0; row < N; ++row)                                                       \
        vstore##N(rows[row], 0, (local T *)(to + lines[row]));                                     \
  }

typedef uchar4 u8_4;
typedef uchar16 u8_16;
typedef ushort4 u16_4;
typedef ushort8 u16_8;
typedef uint4 u32_4;
typedef ulong4 u64_4;

#endif

TURN(u8, 4)
TURN(u8, 16)
TURN(u16, 4)
TURN(u16, 8)
TURN(u32, 4)
TURN(u64, 4)

#endif
