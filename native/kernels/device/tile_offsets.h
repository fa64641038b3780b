/* Offsets of the elements of a tile, in tables of TABLE entries (tile_copy.cl). Needs portable.h.
 */
#ifndef ARRAY_INTERFACE_KERNELS_TILE_OFFSETS_H
#define ARRAY_INTERFACE_KERNELS_TILE_OFFSETS_H

#include "portable.h"

#define TABLE 1024

/* An order has a digit for each axis. The axis of the lowest moves first. */
INLINE u32 digit(u64 order, u32 place) { return (u32)(order >> 4u * place) & 15u; }

/* How the offsets of all indices of some axes are kept: those of the first axes in tables, which
 * are gone through for each index of the others. */
typedef struct {
  u32 count; /* of entries */
  u32 first; /* digits of the axes that are not in the tables */
  u32 end;
  u32 around; /* their indices */
} tile_offsets;

NOT_INLINE void fill(tile_offsets *made, const i64 *side, const i64 *to_strides,
                     const i64 *from_strides, u64 order, u32 first, u32 end, LOCAL i64 *to,
                     LOCAL i64 *from) {
  tile_offsets offsets = {1, first, end, 1};
  to[0] = 0;
  from[0] = 0;
  KEEP_LOOP for (; offsets.first < end; ++offsets.first) {
    const u32 axis = digit(order, offsets.first);
    const u32 length = (u32)side[axis];
    const u32 count = offsets.count;
    if (count * length > TABLE) break;
    for (i64 index = 1; index < (i64)length; ++index) {
      for (i64 entry = 0; entry < (i64)count; ++entry) {
        to[index * count + entry] = to[entry] + index * to_strides[axis];
        from[index * count + entry] = from[entry] + index * from_strides[axis];
      }
    }
    offsets.count = count * length;
  }
  KEEP_LOOP for (u32 place = offsets.first; place < end; ++place) {
    offsets.around *= (u32)side[digit(order, place)];
  }
  *made = offsets;
}

/* Moves both offsets to an index of the axes outside the tables. */
NOT_INLINE void go_around(const tile_offsets *offsets, u32 index, const i64 *side,
                          const i64 *to_strides, const i64 *from_strides, u64 order, i64 *to,
                          i64 *from) {
  KEEP_LOOP for (u32 place = offsets->first; place < offsets->end; ++place) {
    const u32 axis = digit(order, place);
    const u32 next = index / (u32)side[axis];
    const i64 here = (i64)(index - next * (u32)side[axis]);
    *to += here * to_strides[axis];
    *from += here * from_strides[axis];
    index = next;
  }
}

/* Does `work` for the offsets `to` and `from` of each index. */
#define FOR_EACH_OFFSET(offsets, table, to_strides, from_strides, order, ...)             \
  for (u32 index = 0; index < (offsets).around; ++index) {                                \
    i64 to_around = 0;                                                                    \
    i64 from_around = 0;                                                                  \
    go_around(&(offsets), index, axes->side, to_strides, from_strides, order, &to_around, \
              &from_around);                                                              \
    for (u32 entry = 0; entry < (offsets).count; ++entry) {                               \
      const i64 to = to_around + (table)[entry];                                          \
      const i64 from = from_around + (table)[TABLE + entry];                              \
      __VA_ARGS__                                                                         \
    }                                                                                     \
  }

#endif
