/* strided_copy_<unit>: copies `count` units between two strided layouts of at most six axes.
 *
 * One source, three builds: PTX and SPIR-V (generate.mjs), C++ (host.cpp); portable.h says how.
 *
 * destination, source  addresses of the elements with all-zero indices
 * count                product of the first `rank` lengths, below 2^31
 * rank                 0 to 6; the innermost axis comes last; what follows is not read
 * n0..n5               lengths, at least 1
 * d0..d5, s0..s5       strides of destination and source in bytes; 0 and negative ones are fine
 *
 * Item i of N copies the units i, i + N, i + 2N ... in C order, so any launch of up to 2^31 items is
 * right. Indices are 32 bits wide, as 64-bit division is slow on GPUs; addresses are 64. Larger
 * copies are several launches (launch.hpp). */
#include "portable.h"

#define SHAPE                                                                           \
  i64 n0, i64 n1, i64 n2, i64 n3, i64 n4, i64 n5, i64 d0, i64 d1, i64 d2, i64 d3, i64 d4, \
      i64 d5, i64 s0, i64 s1, i64 s2, i64 s3, i64 s4, i64 s5

/* Splits the index of one axis off `rest`, and moves both offsets along that axis. */
#define SPLIT(length, destination_stride, source_stride) \
  {                                                      \
    const u32 next = rest / (u32)(length);               \
    const i64 index = (i64)(rest - next * (u32)(length)); \
    to += index * (destination_stride);                  \
    from += index * (source_stride);                     \
    rest = next;                                         \
  }

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

/* An item and the step are below 2^31 each (at most equal, the step), so their sum cannot wrap. */
INLINE void copy_units(u32 unit, GLOBAL unsigned char *destination,
                       GLOBAL const unsigned char *source, u64 count, i32 rank, SHAPE) {
  const u32 step = (u32)ITEM_COUNT();
  (void)n0; /* what is left after the inner axes is the index of this one */
  for (u32 item = (u32)FIRST_ITEM(); item < (u32)count; item += step) {
    u32 rest = item;
    i64 to = 0;
    i64 from = 0;
    if (rank > 5) SPLIT(n5, d5, s5)
    if (rank > 4) SPLIT(n4, d4, s4)
    if (rank > 3) SPLIT(n3, d3, s3)
    if (rank > 2) SPLIT(n2, d2, s2)
    if (rank > 1) SPLIT(n1, d1, s1)
    if (rank > 0) {
      to += (i64)rest * d0;
      from += (i64)rest * s0;
    }
    move(unit, destination + to, source + from);
  }
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
