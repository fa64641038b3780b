/* How a tile is read into local memory (tile_copy.cl): row by row, or turned. Needs portable.h. */
#ifndef ARRAY_INTERFACE_KERNELS_TILE_READ_H
#define ARRAY_INTERFACE_KERNELS_TILE_READ_H

#include "portable.h"
#include "turn.h"

/* NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in a tile fit 32 bits.
 */

#define LINE_BYTES 64u

/* Of elements near one another compilers make vectors. */
#define MOVE_ELEMENT(NAME, STORE_ONE)                                                     \
  INLINE void NAME(LOCAL unsigned char *to, GLOBAL const unsigned char *from, u32 size) { \
    if (size == 1u) {                                                                     \
      STORE_ONE(u8, to, LOAD(u8, from));                                                  \
    } else if (size == 2u) {                                                              \
      STORE_ONE(u16, to, LOAD(u16, from));                                                \
    } else if (size == 4u) {                                                              \
      STORE_ONE(u32, to, LOAD(u32, from));                                                \
    } else {                                                                              \
      STORE_ONE(u64, to, LOAD(u64, from));                                                \
      if (size == 16u) STORE_ONE(u64, to + 8, LOAD(u64, from + 8));                       \
    }                                                                                     \
  }
MOVE_ELEMENT(move_near, LOCAL_STORE)
MOVE_ELEMENT(move_alone, LOCAL_STORE_ALONE)

/* Asks memory for the lines of a row. */
INLINE void fetch(GLOBAL const unsigned char *from, u32 length, i64 stride) {
  const i64 step = stride < (i64)LINE_BYTES ? (i64)LINE_BYTES : stride;
  const i64 end = (i64)length * stride;
  for (i64 offset = 0; offset < end; offset += step) FETCH_LINE(from + offset);
}

#define FILL_WITH(T)                                                                       \
  {                                                                                        \
    const T value = LOAD(T, from);                                                         \
    for (u64 index = 0; index < length; ++index) LOCAL_STORE(T, to + index * size, value); \
  }

INLINE void fill_row(LOCAL unsigned char *to, GLOBAL const unsigned char *from, u32 length,
                     u32 size) {
  if (size == 1u) {
    FILL_WITH(u8)
  } else if (size == 2u) {
    FILL_WITH(u16)
  } else if (size == 4u) {
    FILL_WITH(u32)
  } else {
    FILL_WITH(u64)
    if (size == 16u) {
      to += 8;
      from += 8;
      FILL_WITH(u64)
    }
  }
}

/* Meanwhile it asks memory for the bytes `ahead` further on, for none if that is 0. */
INLINE void read_row(LOCAL unsigned char *to, GLOBAL const unsigned char *from, u32 length,
                     i64 stride, u32 size, i64 ahead) {
  if (ahead != 0 && stride != 0) {
    fetch(from + ahead + (stride < 0 ? (length - 1) * stride : 0), length,
          stride < 0 ? -stride : stride);
  }
  if (stride == (i64)size) {
    COPY_IN(to, from, length * size);
    return;
  }
  if (stride == 0) { /* read once, as a compiler cannot know that it stays the same */
    fill_row(to, from, length, size);
    return;
  }
  const i64 near = 2 * (i64)size; /* a shorter row is done before a vector is set up */
  if (length >= 16u && -near <= stride && stride <= near) {
    for (i64 index = 0; index < (i64)length; ++index) {
      move_near(to + index * size, from + index * stride, size);
    }
  } else {
    for (i64 index = 0; index < (i64)length; ++index) {
      move_alone(to + index * size, from + index * stride, size);
    }
  }
}

/* Elements to be turned: where lines begin in the tile, and columns in the source. Element i of
 * column j becomes element j of line i. */
typedef struct {
  LOCAL unsigned char *to;
  LOCAL const i64 *lines;
  GLOBAL const unsigned char *from;
  LOCAL const i64 *columns;
} turned;

/* The first `high` units of `wide` columns, one by one. */
INLINE void turn_each(const turned *what, u32 high, u32 wide, i64 stride, u32 size) {
  for (u32 column = 0; column < wide; ++column) {
    LOCAL unsigned char *const to = what->to + column * size;
    GLOBAL const unsigned char *from = what->from + what->columns[column];
    for (u32 line = 0; line < high; ++line) {
      move_alone(to + what->lines[line], from, size);
      from += stride;
    }
  }
}

INLINE void turn_square(LOCAL unsigned char *to, LOCAL const i64 *lines,
                        GLOBAL const unsigned char *const *columns, i64 offset, i64 stride,
                        u32 size, u32 side) {
  if (size == 1u && side == 16u) turn_u8_16(to, lines, columns, offset, stride);
  if (size == 1u && side == 4u) turn_u8_4(to, lines, columns, offset, stride);
  if (size == 2u && side == 8u) turn_u16_8(to, lines, columns, offset, stride);
  if (size == 2u && side == 4u) turn_u16_4(to, lines, columns, offset, stride);
  if (size == 4u) turn_u32_4(to, lines, columns, offset, stride);
  if (size == 8u) turn_u64_4(to, lines, columns, offset, stride);
}

/* The same in squares, of which the last ones go back over units that are turned already. */
INLINE void turn_squares(const turned *what, u32 high, u32 wide, i64 stride, u32 size, u32 side,
                         i64 ahead) {
  GLOBAL const unsigned char *columns[16];
  for (u32 next = 0; next < wide; next += side) {
    const u32 column = next + side <= wide ? next : wide - side;
    UNROLL for (u32 lane = 0; lane < side; ++lane) {
      columns[lane] = what->from + what->columns[column + lane];
    }
    if (ahead != 0) {
      UNROLL for (u32 lane = 0; lane < side; ++lane) fetch(columns[lane] + ahead, high, stride);
    }
    for (u32 below = 0; below < high; below += side) {
      const u32 line = below + side <= high ? below : high - side;
      turn_square(what->to + column * size, what->lines + line, columns, line * stride, stride,
                  size, side);
    }
  }
}

INLINE void turn(const turned *what, u32 high, u32 wide, i64 stride, u32 size, i64 ahead) {
  const u32 side = size < 4u ? 16u / size : 4u;
  const u32 least = high < wide ? high : wide;
  if (least < 4u || size == 16u || (stride != (i64)size && stride != 2 * (i64)size)) {
    turn_each(what, high, wide, stride, size);
  } else if (least < side) {
    turn_squares(what, high, wide, stride, size, 4u, ahead);
  } else {
    turn_squares(what, high, wide, stride, size, side, ahead);
  }
}

/* NOLINTEND(bugprone-implicit-widening-of-multiplication-result) */

#endif
