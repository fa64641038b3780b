/* How a tile is read into local memory (tile_copy.cl): row by row, or turned. Needs portable.h. */
#ifndef ARRAY_INTERFACE_KERNELS_TILE_READ_H
#define ARRAY_INTERFACE_KERNELS_TILE_READ_H

#include "portable.h"
#include "turn.h"

/* NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in a tile fit 32 bits.
 */

#define LINE_BYTES 64u

INLINE void move_element(LOCAL unsigned char *to, GLOBAL const unsigned char *from, u32 size) {
  if (size == 1u) {
    LOCAL_STORE(u8, to, LOAD(u8, from));
  } else if (size == 2u) {
    LOCAL_STORE(u16, to, LOAD(u16, from));
  } else if (size == 4u) {
    LOCAL_STORE(u32, to, LOAD(u32, from));
  } else {
    LOCAL_STORE(u64, to, LOAD(u64, from));
    if (size == 16u) LOCAL_STORE(u64, to + 8, LOAD(u64, from + 8));
  }
}

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

INLINE void read_row(LOCAL unsigned char *to, GLOBAL const unsigned char *from, u32 length,
                     i64 stride, u32 size) {
  if (stride == (i64)size) {
    COPY_IN(to, from, length * size);
    return;
  }
  if (stride == 0) { /* read once, as a compiler cannot know that it stays the same */
    fill_row(to, from, length, size);
    return;
  }
  for (i64 index = 0; index < (i64)length; ++index) {
    move_element(to + index * size, from + index * stride, size);
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

/* A part of these elements. */
typedef struct {
  u32 top;
  u32 bottom;
  u32 first;
  u32 end;
} turned_part;

INLINE void turn_each(const turned *what, turned_part part, i64 stride, u32 size) {
  for (u32 column = part.first; column < part.end; ++column) {
    LOCAL unsigned char *const to = what->to + column * size;
    GLOBAL const unsigned char *from = what->from + what->columns[column] + part.top * stride;
    for (u32 line = part.top; line < part.bottom; ++line) {
      move_element(to + what->lines[line], from, size);
      from += stride;
    }
  }
}

INLINE void turn_square(const turned *what, u32 line, u32 column, u32 size, u32 side) {
  LOCAL unsigned char *const to = what->to + column * size;
  LOCAL const i64 *const lines = what->lines + line;
  GLOBAL const unsigned char *const from = what->from + line * size;
  LOCAL const i64 *const columns = what->columns + column;
  if (size == 1u && side == 16u) turn_u8_16(to, lines, from, columns);
  if (size == 1u && side == 4u) turn_u8_4(to, lines, from, columns);
  if (size == 2u && side == 8u) turn_u16_8(to, lines, from, columns);
  if (size == 2u && side == 4u) turn_u16_4(to, lines, from, columns);
  if (size == 4u) turn_u32_4(to, lines, from, columns);
  if (size == 8u) turn_u64_4(to, lines, from, columns);
}

/* Turns adjacent elements in squares. Gives the place where the squares end. */
INLINE turned_part turn_squares(const turned *what, turned_part part, u32 size, u32 side,
                                i64 ahead) {
  const u32 bottom = part.bottom - (part.bottom - part.top) % side;
  const u32 end = part.end - (part.end - part.first) % side;
  for (u32 column = part.first; column < end; column += side) {
    if (ahead != 0) {
      for (u32 lane = column; lane < column + side; ++lane) {
        fetch(what->from + what->columns[lane] + ahead + part.top * size, bottom - part.top, size);
      }
    }
    for (u32 line = part.top; line < bottom; line += side) {
      turn_square(what, line, column, size, side);
    }
  }
  const turned_part done = {part.top, bottom, part.first, end};
  return done;
}

/* Turns the rest of a part after its squares, in small squares and one by one. */
INLINE void turn_rest(const turned *what, turned_part part, u32 size) {
  turned_part done = {part.top, part.top, part.first, part.first};
  if (size < 4u) done = turn_squares(what, part, size, 4u, 0);
  const turned_part right = {part.top, done.bottom, done.end, part.end};
  const turned_part below = {done.bottom, part.bottom, part.first, part.end};
  turn_each(what, right, size, size);
  turn_each(what, below, size, size);
}

INLINE void turn(const turned *what, u32 high, u32 wide, i64 stride, u32 size, i64 ahead) {
  const turned_part whole = {0, high, 0, wide};
  if (stride != (i64)size || size == 16u) {
    turn_each(what, whole, stride, size);
    return;
  }
  const u32 side = size < 4u ? 16u / size : 4u;
  const turned_part done = turn_squares(what, whole, size, side, ahead);
  const turned_part right = {0, done.bottom, done.end, wide};
  const turned_part below = {done.bottom, high, 0, wide};
  turn_rest(what, right, size);
  turn_rest(what, below, size);
}

/* NOLINTEND(bugprone-implicit-widening-of-multiplication-result) */

#endif
