/* convert: copies `count` numbers between two strided layouts of at most six axes, and makes each
 * another type of number or swaps its bytes on the way (convert.h). The arguments are those of
 * strided_copy (strided_copy.cl), and the conversion. Compiled once for all conversions: for copies
 * too small to be worth a kernel of their own (row_copy.cl, tile_copy.cl). */
#include "convert.h"
#include "shape.h"

INLINE void convert_all(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                        u64 count, i32 rank, SHAPE, u32 conversion) {
  FOR_EACH_UNIT(convert_one(destination + to, source + from, conversion))
}

ITEM_BY_ITEM KERNEL void convert(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                    u64 count, i32 rank, SHAPE, u32 conversion) {
  convert_all(destination, source, count, rank, n0, n1, n2, n3, n4, n5, d0, d1, d2, d3, d4, d5, s0,
              s1, s2, s3, s4, s5, conversion);
}
