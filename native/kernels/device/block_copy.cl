/* block_copy: copies or converts (convert.h) between two strided layouts, a tile at a time, through
 * the memory that the threads of a block share. Threads read a tile in the order in which its units
 * lie in the source and write it in the order in which they lie in the destination, so that both
 * sides are reached by whole lines of the cache, whatever the layouts.
 *
 * destination, source  addresses of the elements with all-zero indices
 * count .. s5          the axes around, as strided_copy has them; their product times the tiles of
 *                      one pair of axes is below 2^31
 * wide, high           units along the columns and the rows that tiles are cut from
 * to_column .. from_row  bytes from one column or row to the next, on either side
 * columns, rows        units of a whole tile; those at the ends are what is left
 * across, down         tiles along the columns and the rows
 * pitch                units of shared memory from one row of a tile to the next: at least `columns`
 * flags                TURNED: units of the source lie closest along the rows, not the columns
 *                      PACKED_LOADS, PACKED_STORES: units of less than 4 bytes go 4 bytes at a time
 *                      where a tile allows it (block_launch.cpp says when all addresses do)
 *
 * A block of 256 threads has one tile; blocks beyond the last tile do nothing. The conversion is the
 * module's own: specialised() (specialise.hpp) puts its code in the place of the constant below, so
 * that the driver compiles what that conversion needs and no more. BYTES_16 to itself moves units of
 * 16 bytes; complex numbers are no units of this kernel. */
#include "convert.h"
#include "shape.h"

/* NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result): places in a tile fit 32 bits,
 * which GPUs multiply faster than 64. */
#define TURNED 1u
#define PACKED_LOADS 2u
#define PACKED_STORES 4u

#define BYTES_16 15u

/* Bytes of shared memory; block_launch.cpp makes tiles that fit. */
#define TILE_BYTES 16896

#ifndef CONVERSION
INLINE u32 conversion_of_module(void) {
  u32 code;
  __asm__ volatile("mov.u32 %0, 0x7eadbee5;" : "=r"(code));
  return code;
}
#define CONVERSION conversion_of_module()
#endif

/* A thread's way through a tile, along the axis whose units lie closest and on to the next line of
 * it. A turn is what going past the end of that axis adds to a step. */
typedef struct {
  u32 length; /* of the axis */
  u32 index;  /* along it */
  u32 place;  /* in the tile, in units */
  i64 offset; /* in memory, in bytes */
  u32 step_index;
  u32 step_place;
  i64 step_offset;
  u32 near_place; /* one unit further along the axis */
  u32 turn_place;
  i64 turn_offset;
} walk;

INLINE void set_out(walk *way, u32 first, u32 step, u32 length, u32 near_place, u32 far_place,
                    i64 near_offset, i64 far_offset) {
  const u32 far = first / length;
  const u32 step_far = step / length;
  way->length = length;
  way->index = first - far * length;
  way->place = way->index * near_place + far * far_place;
  way->offset = (i64)way->index * near_offset + (i64)far * far_offset;
  way->step_index = step - step_far * length;
  way->step_place = way->step_index * near_place + step_far * far_place;
  way->step_offset = (i64)way->step_index * near_offset + (i64)step_far * far_offset;
  way->near_place = near_place;
  way->turn_place = far_place - length * near_place;
  way->turn_offset = far_offset - (i64)length * near_offset;
}

INLINE void go_on(walk *way) {
  way->index += way->step_index;
  way->place += way->step_place;
  way->offset += way->step_offset;
  if (way->index >= way->length) {
    way->index -= way->length;
    way->place += way->turn_place;
    way->offset += way->turn_offset;
  }
}

/* The unit after this one, of those that are packed into one word. */
INLINE void go_near(walk *way) {
  way->index += 1u;
  way->place += way->near_place;
  if (way->index == way->length) {
    way->index = 0u;
    way->place += way->turn_place;
  }
}

/* Whether all units of a tile may go `packed` at a time: none of these groups has a gap. */
INLINE u32 divides(u32 packed, u32 length, u32 units, i64 near_offset, i64 far_offset) {
  const u32 is_dense = far_offset == (i64)length * near_offset;
  return units % packed == 0u && (is_dense || length % packed == 0u);
}

/* All loads of a batch are under way before the first is waited for. */
#define LOAD_BATCHES(T, BATCH)                                                         \
  for (u32 unit = thread; unit < units; unit += THREADS * BATCH) {                     \
    T values[BATCH];                                                                   \
    u32 places[BATCH];                                                                 \
    UNROLL for (u32 item = 0; item < BATCH; ++item) {                                  \
      places[item] = way.place;                                                        \
      if (unit + item * THREADS < units) values[item] = LOAD(T, from + way.offset);    \
      go_on(&way);                                                                     \
    }                                                                                  \
    UNROLL for (u32 item = 0; item < BATCH; ++item) {                                  \
      if (unit + item * THREADS < units) {                                             \
        LOCAL_STORE(T, tile + places[item] * (u32)sizeof(T), values[item]);            \
      }                                                                                \
    }                                                                                  \
  }

/* The same for units of `size` bytes, `packed` of them in a word; `units` counts the words. */
#define LOAD_PACKED(BATCH)                                                             \
  for (u32 unit = thread; unit < units; unit += THREADS * BATCH) {                     \
    u32 values[BATCH];                                                                 \
    walk ways[BATCH];                                                                  \
    UNROLL for (u32 item = 0; item < BATCH; ++item) {                                  \
      ways[item] = way;                                                                \
      if (unit + item * THREADS < units) values[item] = LOAD(u32, from + way.offset);  \
      go_on(&way);                                                                     \
    }                                                                                  \
    UNROLL for (u32 item = 0; item < BATCH; ++item) {                                  \
      if (unit + item * THREADS < units) spread(tile, values[item], &ways[item], size);\
    }                                                                                  \
  }

INLINE void spread(LOCAL unsigned char *tile, u32 word, walk *way, u32 size) {
  if (size == 1u) {
    UNROLL for (u32 unit = 0; unit < 4u; ++unit) {
      LOCAL_STORE(u8, tile + way->place, word >> 8u * unit);
      go_near(way);
    }
  } else {
    LOCAL_STORE(u16, tile + 2u * way->place, word);
    go_near(way);
    LOCAL_STORE(u16, tile + 2u * way->place, word >> 16);
  }
}

INLINE void load_tile(LOCAL unsigned char *tile, GLOBAL const unsigned char *from, u32 thread,
                      u32 size, u32 packed, u32 units, walk way) {
  if (packed > 1u) {
    LOAD_PACKED(4u)
  } else if (size == 1u) {
    LOAD_BATCHES(u8, 8u)
  } else if (size == 2u) {
    LOAD_BATCHES(u16, 8u)
  } else if (size == 4u) {
    LOAD_BATCHES(u32, 8u)
  } else if (size == 8u) {
    LOAD_BATCHES(u64, 8u)
  } else {
    LOAD_BATCHES(bytes_16, 4u)
  }
}

INLINE u64 tile_word(LOCAL const unsigned char *tile, u32 place, u32 size) {
  if (size == 1u) return LOCAL_LOAD(u8, tile + place);
  if (size == 2u) return LOCAL_LOAD(u16, tile + 2u * place);
  if (size == 4u) return LOCAL_LOAD(u32, tile + 4u * place);
  return LOCAL_LOAD(u64, tile + 8u * place);
}

/* The conversion stands here once, in a loop that clang does not unroll. */
INLINE void store_tile(GLOBAL unsigned char *to, LOCAL const unsigned char *tile, u32 thread,
                       u32 conversion, u32 packed, u32 units, walk way) {
  const u32 type = conversion & 0xffu;
  const u32 target = conversion >> 8 & 0xffu;
  const u32 flags = conversion >> 16;
  const u32 size = word_size(type);
  const u32 target_size = word_size(target);
  KEEP_LOOP for (u32 unit = thread; unit < units; unit += THREADS) {
    u64 word = 0;
    walk near = way;
    KEEP_LOOP for (u32 item = 0; item < packed; ++item) {
      u64 value = tile_word(tile, near.place, size);
      if (flags & SWAPS_SOURCE && size > 1u) value = swapped(value, size);
      if (type != target) value = converted(value, type, target, flags & ROUNDS);
      if (flags & SWAPS_DESTINATION && target_size > 1u) value = swapped(value, target_size);
      word |= (value & ~(u64)0 >> (64u - 8u * target_size)) << 8u * target_size * item;
      go_near(&near);
    }
    store_word(to + way.offset, word, target_size * packed, 0u);
    go_on(&way);
  }
}

INLINE void store_tile_16(GLOBAL unsigned char *to, LOCAL const unsigned char *tile, u32 thread,
                          u32 units, walk way) {
  KEEP_LOOP for (u32 unit = thread; unit < units; unit += THREADS) {
    const bytes_16 value = LOCAL_LOAD(bytes_16, tile + 16u * way.place);
    STORE(bytes_16, to + way.offset, value);
    go_on(&way);
  }
}

KERNEL void block_copy(GLOBAL unsigned char *destination,
                                 GLOBAL const unsigned char *source, u64 count, i32 rank, SHAPE,
                                 i64 wide, i64 high, i64 to_column, i64 to_row, i64 from_column,
                                 i64 from_row, u32 columns, u32 rows, u32 across, u32 down,
                                 u32 pitch, u32 flags) {
  SHARED_BYTES(tile, TILE_BYTES);
  const u32 block = (u32)BLOCK();
  const u32 tiles = block / across;
  const u32 pair = tiles / down;
  if (pair >= (u32)count) return;
  const i64 column = (i64)(block - tiles * across) * columns;
  const i64 row = (i64)(tiles - pair * down) * rows;
  SPLIT_ROW(pair)
  to += column * to_column + row * to_row;
  from += column * from_column + row * from_row;

  const u32 code = CONVERSION;
  const u32 is_16 = (code & 0xffu) == BYTES_16;
  const u32 size = is_16 ? 16u : word_size(code & 0xffu);
  const u32 target_size = is_16 ? 16u : word_size(code >> 8 & 0xffu);
  const u32 width = (u32)(wide - column < columns ? wide - column : columns);
  const u32 height = (u32)(high - row < rows ? high - row : rows);
  const u32 units = width * height;
  const u32 is_turned = flags & TURNED;

  FOR_EACH_THREAD(thread) {
    const u32 length = is_turned ? height : width;
    const i64 near = is_turned ? from_row : from_column;
    const i64 far = is_turned ? from_column : from_row;
    u32 packed = size < 4u && flags & PACKED_LOADS ? 4u / size : 1u;
    if (!divides(packed, length, units, near, far)) packed = 1u;
    walk way;
    set_out(&way, packed * thread, packed * THREADS, length, is_turned ? pitch : 1u,
            is_turned ? 1u : pitch, near, far);
    load_tile(tile, source + from, thread, size, packed, units / packed, way);
  }
  BARRIER();
  FOR_EACH_THREAD(thread) {
    u32 packed = target_size < 4u && flags & PACKED_STORES ? 4u / target_size : 1u;
    if (!divides(packed, width, units, to_column, to_row)) packed = 1u;
    walk way;
    set_out(&way, packed * thread, packed * THREADS, width, 1u, pitch, to_column, to_row);
    if (is_16) {
      store_tile_16(destination + to, tile, thread, units, way);
    } else {
      store_tile(destination + to, tile, thread, code, packed, units / packed, way);
    }
  }
}

/* NOLINTEND(bugprone-implicit-widening-of-multiplication-result) */
