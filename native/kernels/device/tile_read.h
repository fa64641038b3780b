/* How a tile is read into local memory (tile_copy.cl): row by row, or turned. Needs portable.h. */
#ifndef ARRAY_INTERFACE_KERNELS_TILE_READ_H
#define ARRAY_INTERFACE_KERNELS_TILE_READ_H

#include "portable.h"
#include "turn.h"

/* NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in a tile fit 32 bits.
 */

#define LINE_BYTES 64u

INLINE void move_alone(LOCAL unsigned char *to, GLOBAL const unsigned char *from, u32 size) {
  if (size == 1u) {
    LOCAL_STORE_ALONE(u8, to, LOAD(u8, from));
  } else if (size == 2u) {
    LOCAL_STORE_ALONE(u16, to, LOAD(u16, from));
  } else if (size == 4u) {
    LOCAL_STORE_ALONE(u32, to, LOAD(u32, from));
  } else {
    LOCAL_STORE_ALONE(u64, to, LOAD(u64, from));
    if (size == 16u) LOCAL_STORE_ALONE(u64, to + 8, LOAD(u64, from + 8));
  }
}

/* Asks memory for the lines of a row, but not for `asked` again; returns the last line. */
INLINE u64 fetch(GLOBAL const unsigned char *from, u32 length, i64 stride, u64 asked) {
  const i64 size = (i64)length * stride;
  if (stride >= (i64)LINE_BYTES) {
    for (i64 offset = 0; offset < size; offset += stride) FETCH_LINES(from + offset, 1u);
    return asked;
  }
  const u64 first = (u64)from / LINE_BYTES;
  const u64 last = ((u64)from + (u64)size - 1u) / LINE_BYTES;
  const u64 skipped = first == asked;
  if (last >= first + skipped)
    FETCH_LINES(from + skipped * LINE_BYTES, last - first + 1u - skipped);
  return last;
}

INLINE void near_row(LOCAL unsigned char *to, GLOBAL const unsigned char *from, i64 length,
                     i64 step, u32 size) {
  if (size == 1u && length >= 16) {
    row_u8_16(to, from, length, step);
  } else if (size == 1u) {
    row_u8_4(to, from, length, step);
  } else if (size == 2u && length >= 8) {
    row_u16_8(to, from, length, step);
  } else if (size == 2u) {
    row_u16_4(to, from, length, step);
  } else if (size == 4u) {
    row_u32_4(to, from, length, step);
  } else {
    row_u64_4(to, from, length, step);
  }
}

/* A row whose units are `stride` bytes apart, which are `step` - 16 units unless `step` is 0. */
INLINE void read_row(LOCAL unsigned char *to, GLOBAL const unsigned char *from, u32 length,
                     i64 stride, u32 step, u32 size) {
  if (stride == (i64)size) {
    COPY_IN(to, from, length * size);
  } else if (step != 0u && size < 16u && length >= 4u) {
    near_row(to, from, length, (i64)step - 16, size);
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

/* The same for columns whose units are `gaps` from where they begin. */
INLINE void turn_gaps(const turned *what, u32 high, u32 wide, LOCAL const i64 *gaps, u32 size) {
  for (u32 column = 0; column < wide; ++column) {
    LOCAL unsigned char *const to = what->to + column * size;
    GLOBAL const unsigned char *const from = what->from + what->columns[column];
    for (u32 line = 0; line < high; ++line) {
      move_alone(to + what->lines[line], from + gaps[line], size);
    }
  }
}

/* As turn_each, and meanwhile memory is asked for the columns `ahead` further on. */
INLINE void turn_long(const turned *what, u32 high, u32 wide, i64 stride, u32 size, i64 ahead) {
  u64 asked = 0;
  for (u32 column = 0; column < wide; ++column) {
    asked = fetch(what->from + what->columns[column] + ahead, high, stride, asked);
    const turned here = {what->to + column * size, what->lines, what->from, what->columns + column};
    turn_each(&here, high, 1u, stride, size);
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
  u64 asked = 0;
  for (u32 next = 0; next < wide; next += side) {
    const u32 column = next + side <= wide ? next : wide - side;
    UNROLL for (u32 lane = 0; lane < side; ++lane) {
      columns[lane] = what->from + what->columns[column + lane];
    }
    if (ahead != 0) {
      UNROLL for (u32 lane = 0; lane < side; ++lane) {
        asked = fetch(columns[lane] + ahead, high, stride, asked);
      }
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
    /* Of smaller units the columns here are short, and overlap anyway. */
    const u32 is_long = size == 16u && (i64)high * stride >= 2 * (i64)LINE_BYTES;
    if (is_long && ahead != 0) {
      turn_long(what, high, wide, stride, size, ahead);
    } else {
      turn_each(what, high, wide, stride, size);
    }
  } else if (least < side) {
    turn_squares(what, high, wide, stride, size, 4u, ahead);
  } else {
    turn_squares(what, high, wide, stride, size, side, ahead);
  }
}

/* NOLINTEND(bugprone-implicit-widening-of-multiplication-result) */

#endif
