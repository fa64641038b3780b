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
#include "tile_offsets.h"
#include "tile_read.h"

/* NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in a tile fit 32 bits. */

#define AXES_OF_TILE 8
#define TILE_BYTES 65536

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

INLINE void put_element(GLOBAL unsigned char *to, LOCAL const unsigned char *from, u32 size) {
  if (size == 1u) {
    STORE_ALONE(u8, to, LOCAL_LOAD(u8, from));
  } else if (size == 2u) {
    STORE_ALONE(u16, to, LOCAL_LOAD(u16, from));
  } else if (size == 4u) {
    STORE_ALONE(u32, to, LOCAL_LOAD(u32, from));
  } else {
    STORE_ALONE(u64, to, LOCAL_LOAD(u64, from));
    if (size == 16u) STORE_ALONE(u64, to + 8, LOCAL_LOAD(u64, from + 8));
  }
}

INLINE void write_row(GLOBAL unsigned char *to, LOCAL const unsigned char *from, u32 length,
                      i64 stride, u32 size) {
  for (i64 index = 0; index < (i64)length; ++index) {
    put_element(to + index * stride, from + index * size, size);
  }
}

/* Tiles. */

/* A stride: so many elements + 16, or whatever the argument says. */
#define STRIDE_OF(step, size, argument) ((step) == 0u ? (argument) : ((i64)(step)-16) * (i64)(size))

/* Whether two columns or rows share cache lines, which the processor foresees. */
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
      const u32 is_foreseen =
          of_starts.count > 1u && NEAR(starts[TABLE], starts[TABLE + 1]);
      const i64 fetched = is_foreseen ? 0 : ahead;
      FOR_EACH_OFFSET(of_starts, starts, axes->read, axes->from, reading,
                      read_row(tile + to, from_here + from, length, stride, size, fetched);)
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
