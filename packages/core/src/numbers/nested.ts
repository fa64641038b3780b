import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { type ElementValue, elementReader, type NestedElements, nest } from './read-element.js';

/** An array without elements may still have this many empty lists. */
const MOST_EMPTY = 2 ** 24;

/**
 * Returns dense elements of JavaScript memory as nested lists. Throws ERR_DTYPE_UNSUPPORTED, and
 * ERR_OUT_OF_MEMORY for lists that no memory has room for.
 */
export function nested(array: ArrayDescriptor): NestedElements {
  const { shape, dtype, buffer } = array;
  const read = elementReader(dtype);
  if (array.size === 0) assertFewLists(shape);
  return nest(shape, dtype.itemsize, new DataView(buffer as ArrayBuffer), 0, read);
}

/** Returns the first element of an array of JavaScript memory. */
export function onlyElement({ dtype, buffer }: ArrayDescriptor): ElementValue {
  return elementReader(dtype)(new DataView(buffer as ArrayBuffer), 0);
}

/** Throws ERR_SHAPE_MISMATCH unless there is exactly one element. */
export function assertOne({ size, shape }: Pick<ArrayDescriptor, 'size' | 'shape'>): void {
  if (size === 1) return;
  throw mismatch(
    'ERR_SHAPE_MISMATCH',
    'array',
    'an array of one element',
    `${size} in shape ${showList(shape)}`,
    'take one with slice(), or all with toNested()',
  );
}

function assertFewLists(shape: readonly number[]): void {
  let lists = 1;
  for (const length of shape) {
    if (length === 0) return;
    lists *= length;
    if (lists <= MOST_EMPTY) continue;
    const expected = `at most ${MOST_EMPTY} empty lists`;
    throw mismatch('ERR_OUT_OF_MEMORY', 'array', expected, showList(shape), 'reshape it first');
  }
}
