/* Squares of units, turned. Needs portable.h.
 *
 * turn_T(to, to_stride, from, from_stride)  unit (i, j) of 8 x 8 units of type T, T one of u8, u16,
 * u32 and u64, becomes unit (j, i); strides are bytes between rows, in which units are adjacent
 *
 * On devices rows are vectors: neighbouring rows exchange every other unit, then pairs of rows
 * every other pair, then fours every other four. */
#ifndef ARRAY_INTERFACE_KERNELS_TURN_H
#define ARRAY_INTERFACE_KERNELS_TURN_H

#include "portable.h"

#define TURNED 8

#if defined(__cplusplus)

#define TURN(T)                                                                     \
  INLINE void turn_##T(unsigned char *to, i64 to_stride, const unsigned char *from, \
                       i64 from_stride) {                                           \
    for (i64 row = 0; row < TURNED; ++row) {                                        \
      for (i64 column = 0; column < TURNED; ++column) {                             \
        MOVE(T, to + column * to_stride + row * i64{sizeof(T)},                     \
             from + row * from_stride + column * i64{sizeof(T)});                   \
      }                                                                             \
    }                                                                               \
  }

#else

#define ROW(T, index) vload8(0, (global const T *)(from + (index)*from_stride))
#define PUT_ROW(T, row, index) vstore8(row, 0, (global T *)(to + (index)*to_stride))
#define EVEN_UNITS(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODD_UNITS(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define EVEN_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define ODD_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LOW_FOURS(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH_FOURS(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

/* Four rows of which each unit is where it shall be within its four. */
#define TURN_FOUR(V, T, name, first)                                  \
  const V name##_a = ROW(T, first), name##_b = ROW(T, first + 1);     \
  const V name##_c = ROW(T, first + 2), name##_d = ROW(T, first + 3); \
  const V name##_ab = EVEN_UNITS(name##_a, name##_b);                 \
  const V name##_ba = ODD_UNITS(name##_a, name##_b);                  \
  const V name##_cd = EVEN_UNITS(name##_c, name##_d);                 \
  const V name##_dc = ODD_UNITS(name##_c, name##_d);                  \
  const V name##_0 = EVEN_PAIRS(name##_ab, name##_cd);                \
  const V name##_1 = EVEN_PAIRS(name##_ba, name##_dc);                \
  const V name##_2 = ODD_PAIRS(name##_ab, name##_cd);                 \
  const V name##_3 = ODD_PAIRS(name##_ba, name##_dc);

#define PUT_TWO(T, upper, lower, index)       \
  PUT_ROW(T, LOW_FOURS(upper, lower), index); \
  PUT_ROW(T, HIGH_FOURS(upper, lower), (index) + 4);

#define TURN_VECTORS(V, T)                                                                        \
  INLINE void turn_##T(global unsigned char *to, i64 to_stride, global const unsigned char *from, \
                       i64 from_stride) {                                                         \
    TURN_FOUR(V, T, upper, 0)                                                                     \
    TURN_FOUR(V, T, lower, 4)                                                                     \
    PUT_TWO(T, upper_0, lower_0, 0)                                                               \
    PUT_TWO(T, upper_1, lower_1, 1)                                                               \
    PUT_TWO(T, upper_2, lower_2, 2)                                                               \
    PUT_TWO(T, upper_3, lower_3, 3)                                                               \
  }

typedef uchar8 u8_8;
typedef ushort8 u16_8;
typedef uint8 u32_8;
typedef ulong8 u64_8;
#define TURN(T) TURN_VECTORS(T##_8, T)

#endif

TURN(u8)
TURN(u16)
TURN(u32)
TURN(u64)

#endif
