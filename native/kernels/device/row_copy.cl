/* row_copy: copies or converts (convert.h) between two strided layouts, of which a compiler knows the
 * types, the inner strides and how many axes there are (special.h). An item for each column of each
 * row does all its channels, as those of a pixel.
 *
 * destination, source  addresses of the elements with all-zero indices
 * count                rows: the product of the first `rank` lengths, below 2^31
 * rank .. s5           the axes around the columns, as strided_copy has them; rank as AXES says it
 * to_stride, from_stride    bytes between the columns of the destination, of the source
 * to_channel, from_channel  bytes between the channels of a column, likewise */
#include "convert.h"
#include "shape.h"
#include "special.h"

INLINE i64 stride_of(u32 step, u32 size, i64 argument) {
  return step == 0u ? argument : ((i64)step - 16) * (i64)size;
}

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

KERNEL void row_copy(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                     u64 count, i32 rank, SHAPE, i64 to_stride, i64 from_stride, i64 to_channel,
                     i64 from_channel) {
  (void)rank;
  copy_column(destination, source, count, SHAPE_VALUES, to_stride, from_stride, to_channel,
              from_channel, CONVERSION, STEPS, AXES);
}
