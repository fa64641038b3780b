/* Elements by index, in C-contiguous memory; `indexing.kernel.ts` is made of this by
 * `array-interface kernel build`.
 *
 * An array is seen as `outer` blocks of `length` rows of `inner` units; a unit is 1, 2, 4, 8 or 16
 * bytes, to which all addresses are aligned. An item moves one unit. `first` is the first item of a
 * launch, `total` the number of all items. */

/* The row of an index: negative ones count from the end, and what lies outside is clamped. */
static inline ulong rowOf(const long index, const ulong length) {
  const long from = index < 0 ? index + (long)length : index;
  if (from < 0) return 0;
  return (ulong)from < length ? (ulong)from : length - 1;
}

/* a / b. Dividing 32 bits takes a third of the time; `most` bounds both. */
static inline ulong quotient(const ulong a, const ulong b, const ulong most) {
  return most >> 32 != 0 ? a / b : (ulong)((uint)a / (uint)b);
}

static inline void move(global uchar *target, const ulong to, global const uchar *source,
                        const ulong from, const uint unit) {
  switch (unit) {
    case 1:
      target[to] = source[from];
      break;
    case 2:
      ((global ushort *)target)[to] = ((global const ushort *)source)[from];
      break;
    case 4:
      ((global uint *)target)[to] = ((global const uint *)source)[from];
      break;
    case 8:
      ((global ulong *)target)[to] = ((global const ulong *)source)[from];
      break;
    default:
      ((global ulong2 *)target)[to] = ((global const ulong2 *)source)[from];
  }
}

/* target[outer, at] = source[outer, indices[at]], for each of `count` indices. */
kernel void takeRows(global const uchar *source, global const long *indices, global uchar *target,
                     const ulong length, const ulong count, const ulong inner, const uint unit,
                     const ulong total, const ulong first) {
  const ulong to = first + get_global_id(0);
  if (to >= total) return;
  const ulong row = quotient(to, inner, total);
  const ulong block = quotient(row, count, total);
  const ulong from = block * length + rowOf(indices[row - block * count], length);
  move(target, to, source, from * inner + (to - row * inner), unit);
}

/* For each row the position of the last index that names it; all are -1 before. */
kernel void lastOfRows(global const long *indices, global int *last, const ulong length,
                       const ulong total, const ulong first) {
  const ulong at = first + get_global_id(0);
  if (at < total) atomic_max(&last[rowOf(indices[at], length)], (int)at);
}

/* target[outer, indices[at]] = values[outer, at], if no later index names the same row. */
kernel void putRows(global const uchar *values, global const long *indices, global const int *last,
                    global uchar *target, const ulong length, const ulong count, const ulong inner,
                    const uint unit, const ulong total, const ulong first) {
  const ulong from = first + get_global_id(0);
  if (from >= total) return;
  const ulong row = quotient(from, inner, total);
  const ulong block = quotient(row, count, total);
  const ulong at = row - block * count;
  const ulong index = rowOf(indices[at], length);
  if (last[index] != (int)at) return;
  move(target, (block * length + index) * inner + (from - row * inner), values, from, unit);
}

/* target[at] = values[at] where the mask is not 0; `inner` units are one element. */
kernel void putWhere(global const uchar *mask, global const uchar *values, global uchar *target,
                     const ulong inner, const uint unit, const ulong total, const ulong first) {
  const ulong at = first + get_global_id(0);
  if (at < total && mask[quotient(at, inner, total)] != 0) move(target, at, values, at, unit);
}
