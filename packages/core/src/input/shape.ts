import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { entryOf, lengthOf } from './dict.js';
import { readDimension } from './integer.js';

/** Arrays with more axes are rejected, as in NumPy. */
export const MAX_RANK = 64;

/**
 * Reads a list of dimensions; `placeholder` may mark an unknown one. Throws ERR_TYPE,
 * ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW, ERR_RANK_MISMATCH.
 */
export function readShape(value: unknown, path: string, placeholder?: number): number[] {
  const rank = lengthOf(value, path, 'a list of dimensions');
  assertRank(rank, path);
  const shape = new Array<number>(rank);
  for (let axis = 0; axis < rank; axis++) {
    const entry = entryOf(value, axis, path);
    const isKept = placeholder !== undefined && entry === placeholder;
    shape[axis] = isKept ? (entry as number) : readDimension(entry, path, axis);
  }
  return shape;
}

/** Throws ERR_RANK_MISMATCH for more axes than any array has, so that no longer list is read. */
export function assertRank(rank: number, path: string): void {
  if (rank > MAX_RANK) {
    throw mismatch(
      'ERR_RANK_MISMATCH',
      path,
      `at most ${MAX_RANK} dimensions`,
      rank,
      'merge axes first; NumPy has the same limit',
    );
  }
}

/**
 * Counts the elements of a shape. Throws ERR_OVERFLOW if they or their bytes are too many to count.
 */
export function checkCounts(shape: readonly number[], itemsize: number, path: string): number {
  const count = sizeOf(shape); // exact if it is a safe integer, else too large
  if (Number.isSafeInteger(count) && Number.isSafeInteger(count * itemsize)) return count;
  throw mismatch(
    'ERR_OVERFLOW',
    path,
    'at most 2^53 - 1 elements and bytes',
    `${showList(shape)} of ${itemsize} bytes each`,
    'describe the array in smaller parts',
  );
}

/** Number of elements. */
export function sizeOf(shape: readonly number[]): number {
  let size = 1;
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 0) return 0; // even if the other lengths overflow
    size *= shape[axis] as number;
  }
  return size;
}

/** Returns whether both shapes are equal. */
export function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((length, axis) => length === b[axis]);
}

/** Returns whether an array of shape `from` broadcasts to shape `to`. */
export function broadcasts(from: readonly number[], to: readonly number[]): boolean {
  const missing = to.length - from.length;
  if (missing < 0) return false;
  for (let axis = 0; axis < from.length; axis++) {
    if (from[axis] !== 1 && from[axis] !== to[axis + missing]) return false;
  }
  return true;
}
