/* The loop of the strided kernels. Needs portable.h.
 *
 * SHAPE               the parameters n0..n5, d0..d5, s0..s5: lengths, and strides in bytes
 * SHAPE_VALUES        the same as arguments, for a function that has them as its parameters
 * FOR_EACH_UNIT(work) does `work` for the units that are this item's, with their byte offsets in
 *                     `to` and `from`; `count` and `rank` are in scope
 *
 * Item i of N takes the units i, i + N, i + 2N ... in C order, so any launch of up to 2^31 items is
 * right. Indices are 32 bits wide, as 64-bit division is slow on GPUs; addresses are 64. */
#ifndef ARRAY_INTERFACE_KERNELS_SHAPE_H
#define ARRAY_INTERFACE_KERNELS_SHAPE_H

#include "portable.h"

#define SHAPE                                                                                     \
  i64 n0, i64 n1, i64 n2, i64 n3, i64 n4, i64 n5, i64 d0, i64 d1, i64 d2, i64 d3, i64 d4, i64 d5, \
      i64 s0, i64 s1, i64 s2, i64 s3, i64 s4, i64 s5

#define SHAPE_VALUES n0, n1, n2, n3, n4, n5, d0, d1, d2, d3, d4, d5, s0, s1, s2, s3, s4, s5

/* Splits the index of one axis off `rest`, and moves both offsets along that axis. */
#define SPLIT(length, destination_stride, source_stride)  \
  {                                                       \
    const u32 next = rest / (u32)(length);                \
    const i64 index = (i64)(rest - next * (u32)(length)); \
    to += index * (destination_stride);                   \
    from += index * (source_stride);                      \
    rest = next;                                          \
  }

/* An item and the step are below 2^31 each (at most equal, the step), so their sum cannot wrap.
 * What is left after the inner axes is the index of the first, whose length is not needed. */
#define FOR_EACH_UNIT(work)                                             \
  const u32 step = (u32)ITEM_COUNT();                                   \
  for (u32 item = (u32)FIRST_ITEM(); item < (u32)count; item += step) { \
    SPLIT_ROW(item)                                                     \
    work;                                                               \
  }

/* One index into all axes: declares `rest`, and the offsets `to` and `from` of its element. */
#define SPLIT_ROW(row)            \
  u32 rest = (u32)(row);          \
  i64 to = 0;                     \
  i64 from = 0;                   \
  (void)n0;                       \
  (void)count;                    \
  if (rank > 5) SPLIT(n5, d5, s5) \
  if (rank > 4) SPLIT(n4, d4, s4) \
  if (rank > 3) SPLIT(n3, d3, s3) \
  if (rank > 2) SPLIT(n2, d2, s2) \
  if (rank > 1) SPLIT(n1, d1, s1) \
  if (rank > 0) {                 \
    to += (i64)rest * d0;         \
    from += (i64)rest * s0;       \
  }

#endif
