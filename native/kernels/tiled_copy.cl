/* tiled_copy: copies or converts (convert.h) between two strided layouts that turn a pair of axes, of
 * which a compiler knows the types and how many axes there are (special.h). Units are adjacent along
 * a row of the destination and along a column of the source; each item takes a square of 64 x 64 of
 * them, so both lengths are multiples of 64. Units that stay as they are are turned in vectors
 * (turn.h), others go through the item's private memory.
 *
 * destination, source  addresses of the elements with all-zero indices
 * count                pairs of axes that tiles are cut from: the product of the first `rank`
 *                      lengths, below 2^31
 * rank .. s5           the axes around those, as strided_copy has them; rank as AXES says it
 * to_stride            bytes between the rows of the destination
 * from_stride          bytes between the columns of the source
 * to_channel, from_channel  as row_copy has them; there are no channels */
#include "convert.h"
#include "shape.h"
#include "special.h"
#include "turn.h"

#define SIDE 64

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

KERNEL void tiled_copy(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                       u64 count, i32 rank, SHAPE, i64 to_stride, i64 from_stride, i64 to_channel,
                       i64 from_channel) {
  (void)rank;
  (void)to_channel;
  (void)from_channel;
  copy_tile(destination, source, count, SHAPE_VALUES, to_stride, from_stride, CONVERSION, AXES);
}
