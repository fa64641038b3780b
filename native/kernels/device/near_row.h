/* Rows of units that are near one another in the source. Needs portable.h.
 *
 * row_T_N(to, from, length, step)  `length` units of type T, N at least, that are `step` units
 * apart become adjacent. The step is -2 to 2. u8 by 16 and 4, u16 by 8 and 4, u32 and u64 by 4.
 *
 * On devices N units are a vector; the last ones are moved with some that were moved already, so
 * that no row has a rest. */
#ifndef ARRAY_INTERFACE_KERNELS_NEAR_ROW_H
#define ARRAY_INTERFACE_KERNELS_NEAR_ROW_H

#include "portable.h"

#if defined(__cplusplus)

#define NEAR_ROW(T, N)                                                                            \
  INLINE void row_##T##_##N(unsigned char *to, const unsigned char *from, i64 length, i64 step) { \
    for (i64 index = 0; index < length; ++index) {                                                \
      MOVE(T, to + index * (i64)sizeof(T), from + index * step * (i64)sizeof(T));                 \
    }                                                                                             \
  }

#else

typedef uchar4 u8_4;
typedef uchar16 u8_16;
typedef ushort4 u16_4;
typedef ushort8 u16_8;
typedef uint4 u32_4;
typedef ulong4 u64_4;

#define REVERSED_4(a) (a).s3210
#define REVERSED_8(a) (a).s76543210
#define REVERSED_16(a) (a).sfedcba9876543210

/* Every second unit, of the units from one on, and of those from N - 1 on. */
#define EVEN_4(a, b) __builtin_shufflevector(a, b, 0, 2, 5, 7)
#define EVEN_8(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 9, 11, 13, 15)
#define EVEN_16(a, b) \
  __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31)

#define NEAR_ROW(T, N)                                                                             \
  INLINE T##_##N near_##T##_##N(global const T *from, i64 step) {                                  \
    if (step == 0) return (T##_##N)(*from);                                                        \
    const T##_##N near = vload##N(0, step < 0 ? from - (N - 1) : from);                            \
    if (step == 2) return EVEN_##N(near, vload##N(0, from + (N - 1)));                             \
    if (step == -2) return REVERSED_##N(EVEN_##N(vload##N(0, from - 2 * (N - 1)), near));          \
    return step < 0 ? REVERSED_##N(near) : near;                                                   \
  }                                                                                                \
  INLINE void row_##T##_##N(local unsigned char *to, global const unsigned char *from, i64 length, \
                            i64 step) {                                                            \
    for (i64 next = 0; next < length; next += N) {                                                 \
      const i64 index = next + N <= length ? next : length - N;                                    \
      vstore##N(near_##T##_##N((global const T *)from + index * step, step), 0,                    \
                (local T *)to + index);                                                            \
    }                                                                                              \
  }

#endif

NEAR_ROW(u8, 4)
NEAR_ROW(u8, 16)
NEAR_ROW(u16, 4)
NEAR_ROW(u16, 8)
NEAR_ROW(u32, 4)
NEAR_ROW(u64, 4)

#endif
