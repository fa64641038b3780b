import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';

/**
 * Rows of dense memory, in JavaScript: what the kernels of `indexing.cl` do. An array is `outer`
 * blocks of `length` rows of `rowBytes`.
 */
export interface Rows {
  readonly length: number;
  readonly count: number;
  readonly outer: number;
  readonly rowBytes: number;
}

/** Bytes of a row from which on the engine's own copy is faster than a loop. */
const LONG = 128;

/**
 * Reads 64-bit indices as row numbers: negative ones count from the end. Throws ERR_ARGUMENT for
 * one outside, before anything else happens.
 */
export function rowsAt(
  indices: Int32Array,
  length: number,
  pathOf: (at: number) => string = (at) => `indices[${at}]`,
): Float64Array {
  const rows = new Float64Array(indices.length / 2);
  for (let at = 0; at < rows.length; at++) {
    // exact up to 2^53, and all others are outside
    const index = (indices[2 * at + 1] as number) * 2 ** 32 + ((indices[2 * at] as number) >>> 0);
    const row = index < 0 ? index + length : index;
    if (!(row >= 0 && row < length)) throw outside(pathOf(at), index, length);
    rows[at] = row;
  }
  return rows;
}

function outside(path: string, index: number, length: number): ArrayInterfaceError {
  const expected =
    length === 0
      ? 'no index, since the axis has length 0'
      : `an index in ${-length} .. ${length - 1}`;
  return mismatch('ERR_ARGUMENT', path, expected, index);
}

/** Copies row `at[i]` of each block of the source to row i of each block of the target. */
export function takeRows(
  target: Uint8Array,
  source: Uint8Array,
  at: Float64Array,
  rows: Rows,
): void {
  const { length, count, outer } = rows;
  const move = mover(target, source, rows.rowBytes);
  for (let block = 0; block < outer; block++) {
    for (let i = 0; i < count; i++) move(block * count + i, block * length + (at[i] as number));
  }
}

/** Copies row i of each block of the values to row `at[i]` of each block of the target, in order. */
export function putRows(
  target: Uint8Array,
  values: Uint8Array,
  at: Float64Array,
  rows: Rows,
): void {
  const { length, count, outer } = rows;
  const move = mover(target, values, rows.rowBytes);
  for (let block = 0; block < outer; block++) {
    for (let i = 0; i < count; i++) move(block * length + (at[i] as number), block * count + i);
  }
}

/** Copies the elements where the mask is not 0. */
export function putWhere(
  target: Uint8Array,
  values: Uint8Array,
  mask: Uint8Array,
  itemsize: number,
): void {
  const move = mover(target, values, itemsize);
  for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) move(i, i);
}

/** Returns a function that copies row `from` of the source to row `to` of the target. */
function mover(
  target: Uint8Array,
  source: Uint8Array,
  rowBytes: number,
): (to: number, from: number) => void {
  if (rowBytes >= LONG) {
    return (to, from) => {
      target.set(source.subarray(from * rowBytes, (from + 1) * rowBytes), to * rowBytes);
    };
  }
  const [into, outOf] = inWords(target, source, rowBytes);
  const words = rowBytes / into.BYTES_PER_ELEMENT;
  if (words === 1) {
    return (to, from) => {
      into[to] = outOf[from] as number;
    };
  }
  return (to, from) => {
    const [start, origin] = [to * words, from * words];
    for (let i = 0; i < words; i++) into[start + i] = outOf[origin + i] as number;
  };
}

type Words = Uint8Array | Uint16Array | Uint32Array;

/** Both sides in the widest words that rows and both addresses are multiples of. */
function inWords(target: Uint8Array, source: Uint8Array, rowBytes: number): [Words, Words] {
  const all = rowBytes | target.byteOffset | source.byteOffset;
  const Elements = all % 4 === 0 ? Uint32Array : all % 2 === 0 ? Uint16Array : Uint8Array;
  const viewed = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
    new Elements(buffer as ArrayBuffer, byteOffset, byteLength / Elements.BYTES_PER_ELEMENT);
  return [viewed(target), viewed(source)];
}
