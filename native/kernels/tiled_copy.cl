/* Copies that a compiler knows the types and the inner strides of: copy_rows and copy_tiles copy or
 * convert (convert.h) between two strided layouts. The constants below stand for what is wanted;
 * specialise() (specialise.hpp) puts it in their places in the SPIR-V. They are handed to functions
 * as they are: what they were part of would be computed with their values here.
 *
 * destination, source  addresses of the elements with all-zero indices
 * count                rows, or pairs of axes that tiles are cut from: the product of the first
 *                      `rank` lengths, below 2^31
 * rank .. s5           the axes around those, as strided_copy has them
 * to_stride            copy_rows: bytes between the columns of the destination
 *                      copy_tiles: bytes between the rows of the destination
 * from_stride          copy_rows: bytes between the columns of the source
 *                      copy_tiles: bytes between the columns of the source
 *
 * copy_rows has an item for each column of each row. copy_tiles turns a pair of axes: units are
 * adjacent along a row of the destination and along a column of the source; each item takes a square
 * of 64 x 64 of them through its private memory, so both lengths are multiples of 64. */
#include "convert.h"
#include "shape.h"

#ifndef CONVERSION
/* As convert_one has it; a type to itself moves its bytes. */
#define CONVERSION 0x7eadbee5u

/* Bytes between columns as numbers of elements, + 16: of the destination in the low 16 bits, of the
 * source above. 0: whatever the argument says. */
#define STEPS 0x7eadbee6u
#endif

#define SIDE 64

INLINE i64 stride_of(u32 step, u32 size, i64 argument) {
  return step == 0u ? argument : ((i64)step - 16) * (i64)size;
}

INLINE u32 element_size(u32 type) { return word_size(type) * (type >= COMPLEX64 ? 2u : 1u); }

INLINE void copy_column(GLOBAL unsigned char *to, GLOBAL const unsigned char *from, i64 to_stride,
                        i64 from_stride, u32 conversion, u32 steps) {
  const i64 column = (i64)ITEM(0);
  const i64 target = stride_of(steps & 0xffffu, element_size(conversion >> 8 & 0xffu), to_stride);
  const i64 source = stride_of(steps >> 16, element_size(conversion & 0xffu), from_stride);
  convert_one(to + column * target, from + column * source, conversion);
}

KERNEL void copy_rows(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                      u64 count, i32 rank, SHAPE, i64 to_stride, i64 from_stride) {
  SPLIT_ROW(ITEM(1))
  copy_column(destination + to, source + from, to_stride, from_stride, CONVERSION, STEPS);
}

#define COPY_TILE(T)                                                                      \
  {                                                                                       \
    T tile[SIDE * SIDE];                                                                  \
    for (u32 column = 0; column < SIDE; ++column) {                                       \
      for (u32 row = 0; row < SIDE; ++row) {                                              \
        tile[row * SIDE + column] =                                                       \
            (T)load_word(from + column * from_stride + (i64)(row * size), size, swaps & 1u);\
      }                                                                                   \
    }                                                                                     \
    for (u32 row = 0; row < SIDE; ++row) {                                                \
      for (u32 column = 0; column < SIDE; ++column) {                                     \
        const u64 word = tile[row * SIDE + column];                                       \
        store_word(to + row * to_stride + (i64)(column * target_size),                    \
                   type == target ? word : converted(word, type, target), target_size,    \
                   swaps & 2u);                                                           \
      }                                                                                   \
    }                                                                                     \
  }

INLINE void copy_tile(GLOBAL unsigned char *to, GLOBAL const unsigned char *from, i64 to_stride,
                      i64 from_stride, u32 conversion) {
  const u32 type = conversion & 0xffu;
  const u32 target = conversion >> 8 & 0xffu;
  const u32 swaps = conversion >> 16;
  const u32 size = word_size(type);
  const u32 target_size = word_size(target);
  const i64 first_row = (i64)ITEM(0) * SIDE;
  const i64 first_column = (i64)ITEM(1) * SIDE;
  to += first_row * to_stride + first_column * target_size;
  from += first_column * from_stride + first_row * size;
  if (size == 1u) {
    COPY_TILE(u8)
  } else if (size == 2u) {
    COPY_TILE(u16)
  } else if (size == 4u) {
    COPY_TILE(u32)
  } else {
    COPY_TILE(u64)
  }
}

KERNEL void copy_tiles(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                       u64 count, i32 rank, SHAPE, i64 to_stride, i64 from_stride) {
  SPLIT_ROW(ITEM(2))
  copy_tile(destination + to, source + from, to_stride, from_stride, CONVERSION);
}
