/* Copies of which a compiler knows the types, the inner strides and how many axes there are:
 * copy_rows and copy_tiles copy or convert (convert.h) between two strided layouts. The constants
 * below stand for what is wanted; specialise() (specialise.hpp) puts it in their places in the
 * SPIR-V. They are handed to functions as they are: what they were part of would be computed with
 * their values here.
 *
 * destination, source  addresses of the elements with all-zero indices
 * count                rows, or pairs of axes that tiles are cut from: the product of the first
 *                      `rank` lengths, below 2^31
 * rank .. s5           the axes around those, as strided_copy has them; rank as AXES says it
 * to_stride            copy_rows: bytes between the columns of the destination
 *                      copy_tiles: bytes between the rows of the destination
 * from_stride          copy_rows: bytes between the columns of the source
 *                      copy_tiles: bytes between the columns of the source
 * to_channel, from_channel  copy_rows: bytes between the channels of a column
 *
 * copy_rows has an item for each column of each row, which does all its channels, as those of a
 * pixel. copy_tiles turns a pair of axes: units are adjacent along a row of the destination and
 * along a column of the source; each item takes a square of 64 x 64 of them, so both lengths are
 * multiples of 64. Units that stay as they are are turned in vectors (turn.h), others go through
 * the item's private memory. */
#include "convert.h"
#include "shape.h"
#include "turn.h"

#ifndef CONVERSION
/* As convert_one has it; a type to itself moves its bytes. */
#define CONVERSION 0x7eadbee5u

/* Strides as numbers of elements, + 16, a byte each from the lowest: of the destination's columns,
 * the source's columns, the destination's channels, the source's channels. 0: whatever the argument
 * says. */
#define STEPS 0x7eadbee6u

/* How many axes there are around in the lowest byte, how many channels in the next. */
#define AXES 0x7eadbee7u
#endif

#define SIDE 64

INLINE i64 stride_of(u32 step, u32 size, i64 argument) {
  return step == 0u ? argument : ((i64)step - 16) * (i64)size;
}

INLINE u32 element_size(u32 type) { return word_size(type) * (type >= COMPLEX64 ? 2u : 1u); }

INLINE void copy_column(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                        u64 count, SHAPE, i64 to_stride, i64 from_stride, i64 to_channel,
                        i64 from_channel, u32 conversion, u32 steps, u32 axes) {
  const i32 rank = (i32)(axes & 0xffu);
  const u32 channels = axes >> 8;
  const u32 to_size = element_size(conversion >> 8 & 0xffu);
  const u32 from_size = element_size(conversion & 0xffu);
  const i64 to_next = stride_of(steps >> 16 & 0xffu, to_size, to_channel);
  const i64 from_next = stride_of(steps >> 24, from_size, from_channel);
  const i64 column = (i64)ITEM(0);
  SPLIT_ROW(ITEM(1))
  destination += to + column * stride_of(steps & 0xffu, to_size, to_stride);
  source += from + column * stride_of(steps >> 8 & 0xffu, from_size, from_stride);
  for (u32 channel = 0; channel < channels; ++channel) {
    convert_one(destination + channel * to_next, source + channel * from_next, conversion);
  }
}

KERNEL void copy_rows(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                      u64 count, i32 rank, SHAPE, i64 to_stride, i64 from_stride, i64 to_channel,
                      i64 from_channel) {
  (void)rank;
  copy_column(destination, source, count, SHAPE_VALUES, to_stride, from_stride, to_channel,
              from_channel, CONVERSION, STEPS, AXES);
}

#define TURN_TILE(T)                                                                      \
  for (u32 row = 0; row < SIDE; row += TURNED) {                                          \
    for (u32 column = 0; column < SIDE; column += TURNED) {                               \
      turn_##T(destination + row * to_stride + (i64)(column * size), to_stride,           \
               source + column * from_stride + (i64)(row * size), from_stride);           \
    }                                                                                     \
  }

#define CONVERT_TILE(T)                                                                   \
  {                                                                                       \
    T tile[SIDE * SIDE];                                                                  \
    for (u32 column = 0; column < SIDE; ++column) {                                       \
      for (u32 row = 0; row < SIDE; ++row) {                                              \
        GLOBAL const unsigned char *const line = source + column * from_stride;           \
        tile[row * SIDE + column] = (T)load_word(line + (i64)(row * size), size, swaps & 1u); \
      }                                                                                   \
    }                                                                                     \
    for (u32 row = 0; row < SIDE; ++row) {                                                \
      for (u32 column = 0; column < SIDE; ++column) {                                     \
        const u64 word = tile[row * SIDE + column];                                       \
        store_word(destination + row * to_stride + (i64)(column * target_size),           \
                   type == target ? word : converted(word, type, target), target_size,    \
                   swaps & 2u);                                                           \
      }                                                                                   \
    }                                                                                     \
  }

#define COPY_TILE(T)                     \
  if (type == target && swaps == 0u) {   \
    TURN_TILE(T)                         \
  } else {                               \
    CONVERT_TILE(T)                      \
  }

INLINE void copy_tile(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                      u64 count, SHAPE, i64 to_stride, i64 from_stride, u32 conversion, u32 axes) {
  const i32 rank = (i32)(axes & 0xffu);
  const u32 type = conversion & 0xffu;
  const u32 target = conversion >> 8 & 0xffu;
  const u32 swaps = conversion >> 16;
  const u32 size = word_size(type);
  const u32 target_size = word_size(target);
  const i64 first_row = (i64)ITEM(0) * SIDE;
  const i64 first_column = (i64)ITEM(1) * SIDE;
  SPLIT_ROW(ITEM(2))
  destination += to + first_row * to_stride + first_column * target_size;
  source += from + first_column * from_stride + first_row * size;
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
                       u64 count, i32 rank, SHAPE, i64 to_stride, i64 from_stride, i64 to_channel,
                       i64 from_channel) {
  (void)rank;
  (void)to_channel;
  (void)from_channel;
  copy_tile(destination, source, count, SHAPE_VALUES, to_stride, from_stride, CONVERSION, AXES);
}
