import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { type MemoryPart, memoryOf } from '../descriptor/memory-part.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { entryOf, isList, lengthOf } from '../input/dict.js';
import { at } from '../input/integer.js';
import { assertRank } from '../input/shape.js';
import type { TypedArray } from '../numbers/typed-array.js';
import { newBuffer } from './copy-buffers.js';

/** Nested lists of typed arrays, one level for each axis but the last. */
export type NestedRows = readonly (TypedArray | NestedRows)[];

/**
 * Copies nested lists of typed arrays of one kind into a new buffer, as an array whose last axis
 * runs along each of them. Null for lists of anything else. Throws ERR_SHAPE_MISMATCH for ragged
 * lists, ERR_TYPE for an entry that is no such typed array, ERR_OUT_OF_MEMORY.
 */
export function gatherRows(source: unknown): ArrayDescriptor | null {
  const shape: number[] = [];
  let level = source;
  while (isList(level, 'source')) {
    const length = lengthOf(level, 'source', 'a list');
    if (length === 0) return null;
    shape.push(length);
    assertRank(shape.length, 'source'); // a list may contain itself
    level = entryOf(level, 0, 'source');
  }
  const first = rowOf(level);
  if (first === null || shape.length === 0) return null;
  assertRank(shape.length + 1, 'source');
  const rows: MemoryPart[] = [];
  collect(source, shape, 'source', first, rows);
  const type = dtype(first.dtype);
  const bytes = new Uint8Array(newBuffer(rows.length * first.byteLength));
  for (const [index, { buffer, byteOffset, byteLength }] of rows.entries()) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), index * byteLength);
  }
  const lengths = [...shape, first.byteLength / type.itemsize];
  return relativeLayout(lengths, type, null, bytes.buffer);
}

function rowOf(value: unknown): MemoryPart | null {
  return ArrayBuffer.isView(value) ? memoryOf(value) : null;
}

/** `shape`: the lengths of the lists from this level on. */
function collect(
  level: unknown,
  [length, ...inner]: readonly number[],
  path: string,
  first: MemoryPart,
  rows: MemoryPart[],
): void {
  if (length === undefined) {
    rows.push(checkedRow(level, path, first));
    return;
  }
  const expected = `a list of ${length}, like the first entries`;
  const got = lengthOf(level, path, expected);
  if (got !== length) throw mismatch('ERR_SHAPE_MISMATCH', path, expected, `a list of ${got}`);
  for (let index = 0; index < length; index++) {
    collect(entryOf(level, index, path), inner, at(path, index), first, rows);
  }
}

function checkedRow(value: unknown, path: string, first: MemoryPart): MemoryPart {
  const row = rowOf(value);
  if (row === null || row.dtype !== first.dtype) {
    throw mismatch(
      'ERR_TYPE',
      path,
      `a typed array of ${first.dtype}, like the first one`,
      row === null ? show(value) : `one of ${row.dtype}`,
      'convert it first',
    );
  }
  if (row.byteLength === first.byteLength) return row;
  const { itemsize } = dtype(first.dtype);
  throw mismatch(
    'ERR_SHAPE_MISMATCH',
    path,
    `${first.byteLength / itemsize} elements, like the first row`,
    row.byteLength / itemsize,
  );
}
