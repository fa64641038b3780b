/* strided_copy_<unit>: copies `count` units between two strided layouts of at most six axes.
 *
 * One source, two builds: PTX (generate.mjs) and C++ (host.cpp); portable.h says how.
 *
 * destination, source  addresses of the elements with all-zero indices
 * count                product of the first `rank` lengths, below 2^31
 * rank                 0 to 6; the innermost axis comes last; what follows is not read
 * n0..n5               lengths, at least 1
 * d0..d5, s0..s5       strides of destination and source in bytes; 0 and negative ones are fine
 *
 * Larger copies are several launches (launch.hpp). */
#include "shape.h"

/* `unit` is a constant wherever this is inlined, so that one branch remains. */
INLINE void move(u32 unit, GLOBAL unsigned char *to, GLOBAL const unsigned char *from) {
  if (unit == 1) {
    MOVE(bytes_1, to, from);
  } else if (unit == 2) {
    MOVE(bytes_2, to, from);
  } else if (unit == 4) {
    MOVE(bytes_4, to, from);
  } else if (unit == 8) {
    MOVE(bytes_8, to, from);
  } else {
    MOVE(bytes_16, to, from);
  }
}

INLINE void copy_units(u32 unit, GLOBAL unsigned char *destination,
                       GLOBAL const unsigned char *source, u64 count, i32 rank, SHAPE) {
  FOR_EACH_UNIT(move(unit, destination + to, source + from))
}

#define STRIDED_COPY(NAME, unit)                                                          \
  KERNEL void NAME(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source, \
                   u64 count, i32 rank, SHAPE) {                                          \
    copy_units(unit, destination, source, count, rank, n0, n1, n2, n3, n4, n5, d0, d1, d2, \
               d3, d4, d5, s0, s1, s2, s3, s4, s5);                                       \
  }

STRIDED_COPY(strided_copy_1, 1)
STRIDED_COPY(strided_copy_2, 2)
STRIDED_COPY(strided_copy_4, 4)
STRIDED_COPY(strided_copy_8, 8)
STRIDED_COPY(strided_copy_16, 16)
