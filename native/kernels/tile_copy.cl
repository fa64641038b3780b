/* tile_copy: copies or converts (convert.h) between two strided layouts tile by tile, as one item of
 * a CPU does it best. A tile is read along the source into local memory, where it lies as in the
 * destination but without gaps; there it is converted; from there it is written along the
 * destination. tile_launch.hpp chooses tiles that take whole cache lines on both sides.
 *
 * destination, source  addresses of the elements with all-zero indices
 * tiles, items         how many there are; each item takes tiles that follow one another
 * n0 .. n7             lengths of the axes as they lie in the destination, the innermost last; 1 of
 *                      those that there are not
 * m0 .. m7             lengths in a tile, each TABLE at most; TILE_BYTES hold its elements
 * d0 .. d7, s0 .. s7   bytes between elements in the destination, in the source
 * loops                axes, a hexadecimal digit each: tiles follow one another along the lowest
 * reading              axes likewise: those that are read one after another, then those that these
 *                      are turned with, then those around them; the lowest digit moves first
 * along, across        how many axes are read, how many turned with them: TABLE indices at most of
 *                      each. Nothing is turned where `across` is 0; then the innermost axis is read.
 * is_streamed          1: whole cache lines are written past the caches */
#include "convert.h"
#include "special.h"
#include "turn.h"

/* NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in a tile fit 32 bits. */

#define AXES_OF_TILE 8
#define TILE_BYTES 65536
#define TABLE 1024
#define LINE_BYTES 64u

/* The axes of a copy, and lengths and places in the tile that an item is at. */
typedef struct {
  i64 length[AXES_OF_TILE];
  i64 most[AXES_OF_TILE];
  i64 to[AXES_OF_TILE];
  i64 from[AXES_OF_TILE];
  i64 side[AXES_OF_TILE];
  i64 read[AXES_OF_TILE];    /* bytes between elements as they are read, without gaps */
  i64 written[AXES_OF_TILE]; /* as they are written, likewise */
} tile_axes;

INLINE u32 digit(u64 order, u32 place) { return (u32)(order >> 4u * place) & 15u; }

/* Offsets. */

/* How the offsets of all indices of some axes are kept: those of the first axes in tables, which are
 * gone through for each index of the others. */
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

/* Moves both offsets to an index of the axes that are not in the tables. */
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

/* `work` for the offsets `to` and `from` of each index. */
#define FOR_EACH_OFFSET(offsets, table, to_strides, from_strides, order, ...)                   \
  for (u32 index = 0; index < (offsets).around; ++index) {                                      \
    i64 to_around = 0;                                                                          \
    i64 from_around = 0;                                                                        \
    go_around(&(offsets), index, axes->side, to_strides, from_strides, order, &to_around,       \
              &from_around);                                                                    \
    for (u32 entry = 0; entry < (offsets).count; ++entry) {                                     \
      const i64 to = to_around + (table)[entry];                                                \
      const i64 from = from_around + (table)[TABLE + entry];                                    \
      __VA_ARGS__                                                                               \
    }                                                                                           \
  }

/* Reading. */

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

#define FILL_WITH(T)                                                                   \
  {                                                                                    \
    const T value = LOAD(T, from);                                                     \
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

/* What is turned: where lines begin in the tile, and columns in the source. Element i of column j
 * becomes element j of line i. */
typedef struct {
  LOCAL unsigned char *to;
  LOCAL const i64 *lines;
  GLOBAL const unsigned char *from;
  LOCAL const i64 *columns;
} turned;

/* Which part of it. */
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

/* Adjacent elements in squares; gives where squares end. */
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

/* The rest of a part of which squares are done, in small squares and one by one. */
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

/* Converting. */

INLINE u64 word_at(LOCAL const unsigned char *from, u32 size) {
  if (size == 1u) return LOCAL_LOAD(u8, from);
  if (size == 2u) return LOCAL_LOAD(u16, from);
  if (size == 4u) return LOCAL_LOAD(u32, from);
  return LOCAL_LOAD(u64, from);
}

INLINE void put_word(LOCAL unsigned char *to, u64 word, u32 size) {
  if (size == 1u) {
    LOCAL_STORE(u8, to, word);
  } else if (size == 2u) {
    LOCAL_STORE(u16, to, word);
  } else if (size == 4u) {
    LOCAL_STORE(u32, to, word);
  } else {
    LOCAL_STORE(u64, to, word);
  }
}

INLINE u32 parts_of(u32 type) { return type >= COMPLEX64 ? 2u : 1u; }
INLINE u32 element_size(u32 type) { return word_size(type) * parts_of(type); }

INLINE void convert_tile(LOCAL unsigned char *to, LOCAL const unsigned char *from, u32 count,
                         u32 conversion) {
  const u32 source = conversion & 0xffu;
  const u32 target = conversion >> 8 & 0xffu;
  const u32 size = word_size(source);
  const u32 target_size = word_size(target);
  for (u64 index = 0; index < count; ++index) {
    LOCAL const unsigned char *const element = from + index * element_size(source);
    LOCAL unsigned char *const made = to + index * element_size(target);
    u64 first = word_at(element, size);
    u64 second = parts_of(source) == 2u ? word_at(element + size, size) : 0;
    convert_words(&first, &second, conversion);
    put_word(made, first, target_size);
    if (parts_of(target) == 2u) put_word(made + target_size, second, target_size);
  }
}

/* Writing. */

/* Bytes one after another. A line of which only a part is written goes through the caches: past them
 * memory would be read and written for it. */
INLINE void write_run(GLOBAL unsigned char *to, LOCAL const unsigned char *from, u32 size,
                      u32 is_streamed) {
  u32 done = 0;
  if (is_streamed && size >= 2u * LINE_BYTES) {
    done = (u32)(-(u64)to) & (LINE_BYTES - 1u);
    COPY_OUT(to, from, done);
    for (; done + LINE_BYTES <= size; done += LINE_BYTES) STREAM_LINE(to + done, from + done);
  }
  COPY_OUT(to + done, from + done, size - done);
}

INLINE void write_row(GLOBAL unsigned char *to, LOCAL const unsigned char *from, u32 length,
                      i64 stride, u32 size) {
  for (i64 index = 0; index < (i64)length; ++index) {
    const u32 word = size < 8u ? size : 8u;
    store_word(to + index * stride, word_at(from + index * size, word), word, 0u);
    if (size == 16u) store_word(to + index * stride + 8, word_at(from + index * size + 8, 8), 8, 0u);
  }
}

/* Tiles. */

/* A stride: so many elements + 16, or whatever the argument says. */
#define STRIDE_OF(step, size, argument) ((step) == 0u ? (argument) : ((i64)(step)-16) * (i64)(size))

/* Whether two columns share cache lines, which the processor foresees. */
#define NEAR(a, b) ((b) - (a) < (i64)LINE_BYTES && (a) - (b) < (i64)LINE_BYTES)

/* Where a tile begins on one side, which has these strides. */
NOT_INLINE i64 offset_of(u64 number, const tile_axes *axes, u64 loops, const i64 *strides) {
  i64 offset = 0;
  KEEP_LOOP for (u32 place = 0; place < AXES_OF_TILE; ++place) {
    const u32 axis = digit(loops, place);
    const u64 most = (u64)axes->most[axis];
    const u64 count = ((u64)axes->length[axis] + most - 1) / most;
    const u64 next = number / count;
    offset += (i64)((number - next * count) * most) * strides[axis];
    number = next;
  }
  return offset;
}

/* Takes the lengths of a tile; says whether they differ from those before. */
NOT_INLINE u32 take_sides(u64 number, tile_axes *axes, u64 loops) {
  u32 is_new = 0;
  KEEP_LOOP for (u32 place = 0; place < AXES_OF_TILE; ++place) {
    const u32 axis = digit(loops, place);
    const i64 most = axes->most[axis];
    const u64 count = (u64)((axes->length[axis] + most - 1) / most);
    const u64 next = number / count;
    const i64 left = axes->length[axis] - (i64)(number - next * count) * most;
    const i64 side = left < most ? left : most;
    is_new |= side != axes->side[axis];
    axes->side[axis] = side;
    number = next;
  }
  return is_new;
}

INLINE void copy_tiles(GLOBAL unsigned char *destination, GLOBAL const unsigned char *source,
                       u64 first, u64 end, tile_axes *axes, u64 loops, u64 reading, u32 along,
                       u32 across, u32 is_streamed, LOCAL unsigned char *tile,
                       LOCAL unsigned char *converted_tile, LOCAL i64 *tables, u32 conversion,
                       u32 steps) {
  const u32 size = element_size(conversion & 0xffu);
  const u32 target_size = element_size(conversion >> 8 & 0xffu);
  const u32 is_converted = (conversion & 0xffu) != (conversion >> 8 & 0xffu) || conversion >> 16;
  const u32 is_turned = steps >> 16 & 1u;
  const u32 nearest = digit(reading, 0);
  const u64 inwards = 0x01234567u; /* the innermost axis first */
  i64 stride = STRIDE_OF(steps & 0xffu, size, axes->from[nearest]);
  if (is_turned && stride < 0) stride = -stride;
  const i64 to_stride =
      STRIDE_OF(steps >> 8 & 0xffu, target_size, axes->to[AXES_OF_TILE - 1]);
  LOCAL i64 *const lines = tables;
  LOCAL i64 *const columns = tables + TABLE;
  LOCAL i64 *const starts = tables + 2 * TABLE;
  LOCAL i64 *const rows = tables + 4 * TABLE;
  LOCAL i64 *const unused = tables + 6 * TABLE;
  tile_offsets of_lines, of_columns, of_starts, of_rows;
  i64 shift_to = 0;
  i64 shift_from = 0;
  u32 count = 1;
  u32 row_length = 1;
  i64 following = offset_of(first, axes, loops, axes->from);
  for (u64 number = first; number < end; ++number) {
    const i64 to_tile = offset_of(number, axes, loops, axes->to);
    const i64 from_tile = following;
    following = number + 1 < end ? offset_of(number + 1, axes, loops, axes->from) : from_tile;
    const i64 ahead = following - from_tile;
    const u32 is_new = take_sides(number, axes, loops);
    if (is_new) {
      count = 1;
      KEEP_LOOP for (u32 axis = AXES_OF_TILE; axis-- > 0;) {
        axes->read[axis] = count * size;
        axes->written[axis] = count * target_size;
        count *= (u32)axes->side[axis];
      }
      if (is_turned) {
        /* Backwards, the last comes first. */
        i64 places[AXES_OF_TILE];
        i64 ways[AXES_OF_TILE];
        shift_to = 0;
        shift_from = 0;
        KEEP_LOOP for (u32 place = 0; place < along; ++place) {
          const u32 axis = digit(reading, place);
          const u32 is_backwards = axes->from[axis] < 0;
          const i64 last = is_backwards ? axes->side[axis] - 1 : 0;
          places[axis] = is_backwards ? -axes->read[axis] : axes->read[axis];
          ways[axis] = 0;
          shift_to += last * axes->read[axis];
          shift_from += last * axes->from[axis];
        }
        fill(&of_lines, axes->side, places, ways, reading, 0, along, lines, unused);
        fill(&of_columns, axes->side, axes->read, axes->from, reading, along, along + across,
             unused, columns);
      }
      fill(&of_starts, axes->side, axes->read, axes->from, reading, along + across, AXES_OF_TILE,
           starts, starts + TABLE);
      u32 inner = 1;
      row_length = (u32)axes->side[AXES_OF_TILE - 1];
      KEEP_LOOP for (; inner < AXES_OF_TILE; ++inner) {
        const u32 axis = AXES_OF_TILE - 1 - inner;
        if (axes->side[axis] != 1 && axes->to[axis] != (i64)row_length * to_stride) break;
        row_length *= (u32)axes->side[axis];
      }
      fill(&of_rows, axes->side, axes->to, axes->written, inwards, inner, AXES_OF_TILE, rows,
           rows + TABLE);
    }
    GLOBAL const unsigned char *const from_here = source + from_tile + shift_from;
    if (is_turned) {
      const u32 is_foreseen = of_columns.count < 2u || NEAR(columns[0], columns[1]);
      const i64 fetched = is_foreseen ? 0 : ahead;
      FOR_EACH_OFFSET(of_starts, starts, axes->read, axes->from, reading, {
        const turned what = {tile + shift_to + to, lines, from_here + from, columns};
        turn(&what, of_lines.count, of_columns.count, stride, size, fetched);
      })
    } else {
      const u32 length = (u32)axes->side[nearest];
      FOR_EACH_OFFSET(of_starts, starts, axes->read, axes->from, reading,
                      read_row(tile + to, from_here + from, length, stride, size);)
    }
    if (is_converted) convert_tile(converted_tile, tile, count, conversion);
    LOCAL const unsigned char *const made = is_converted ? converted_tile : tile;
    if (to_stride == (i64)target_size) {
      FOR_EACH_OFFSET(of_rows, rows, axes->to, axes->written, inwards,
                      write_run(destination + to_tile + to, made + from, row_length * target_size,
                                is_streamed);)
    } else {
      FOR_EACH_OFFSET(of_rows, rows, axes->to, axes->written, inwards,
                      write_row(destination + to_tile + to, made + from, row_length, to_stride,
                                target_size);)
    }
  }
}

#define EIGHT(a) i64 a##0, i64 a##1, i64 a##2, i64 a##3, i64 a##4, i64 a##5, i64 a##6, i64 a##7
#define VALUES(a) {a##0, a##1, a##2, a##3, a##4, a##5, a##6, a##7}

ITEM_BY_ITEM ONE_ITEM_GROUPS KERNEL void tile_copy(GLOBAL unsigned char *destination,
                                      GLOBAL const unsigned char *source, u64 tiles, u64 items,
                                      EIGHT(n), EIGHT(m), EIGHT(d), EIGHT(s), u64 loops,
                                      u64 reading, u32 along, u32 across, u32 is_streamed) {
  SHARED_BYTES(tile, TILE_BYTES);
  SHARED_BYTES(converted_tile, TILE_BYTES);
  SHARED_BYTES(tables, 7 * TABLE * 8);
  tile_axes axes = {VALUES(n), VALUES(m), VALUES(d), VALUES(s), {0}, {0}, {0}};
  const u64 item = (u64)ITEM(0);
  copy_tiles(destination, source, tiles * item / items, tiles * (item + 1) / items, &axes, loops,
             reading, along, across, is_streamed, tile, converted_tile, (LOCAL i64 *)tables,
             CONVERSION, STEPS);
  if (is_streamed) FINISH_STREAM();
}

/* NOLINTEND(bugprone-implicit-widening-of-multiplication-result) */
