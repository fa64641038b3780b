import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import type { DType, DTypeLike } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { asked, entryOf, isList, lengthOf } from '../input/dict.js';
import { assertRank } from '../input/shape.js';
import { type ElementCast, writeElement } from './element.js';

/** Nested lists of numbers, one level for each axis. */
export type NestedNumbers = number | bigint | boolean | readonly NestedNumbers[];

type Leaf = number | bigint | boolean;

/** Returns whether `source` is a number or lists of numbers rather than an array in memory. */
export function isPlainData(source: unknown): source is NestedNumbers {
  return isLeaf(source) || isList(source, 'source');
}

/**
 * Returns nested lists of numbers as an array in a new buffer. Without a dtype the first number
 * decides: float64 for numbers, int64 for bigints, bool for booleans. A dtype of 2-byte floats
 * yields float64, which the copy converts. With the casting `unsafe`, an integer dtype accepts any
 * number: a bigint wraps around, a float is truncated or rounded, and clamped to the dtype's range. Throws
 * ERR_SHAPE_MISMATCH for ragged lists, ERR_TYPE for anything but numbers, and what `writeElement`
 * throws.
 */
export function plainArray(
  source: NestedNumbers,
  like?: DTypeLike,
  cast?: ElementCast,
): ArrayDescriptor {
  const shape = shapeOf(source);
  const leaves: Leaf[] = [];
  asked('ERR_TYPE', 'source', () => collect(source, shape, 0, 'source', leaves));
  const type = like === undefined ? dtypeOf(leaves[0]) : writable(dtype(like));
  const buffer = new ArrayBuffer(leaves.length * type.itemsize);
  const view = new DataView(buffer);
  for (const [i, leaf] of leaves.entries()) {
    writeElement(view, i * type.itemsize, type, leaf, cast);
  }
  return relativeLayout(shape, type, null, buffer);
}

/**
 * Returns one number as an array without axes, which broadcasts to any shape. Throws what
 * `writeElement` throws.
 */
export function scalarArray(value: Leaf, type: DType, cast?: ElementCast): ArrayDescriptor {
  if (!isLeaf(value)) {
    throw mismatch(
      'ERR_TYPE',
      'value',
      'a number, bigint or boolean',
      typeof value,
      'use copy() for arrays',
    );
  }
  return plainArray(value, type, cast);
}

function isLeaf(value: unknown): value is Leaf {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}

function shapeOf(source: NestedNumbers): number[] {
  const shape: number[] = [];
  let level: unknown = source;
  while (isList(level, 'source')) {
    const length = lengthOf(level, 'source', 'a list of numbers');
    shape.push(length);
    assertRank(shape.length, 'source'); // a list may contain itself
    level = length === 0 ? undefined : entryOf(level, 0, 'source');
  }
  return shape;
}

function collect(
  level: NestedNumbers,
  shape: readonly number[],
  axis: number,
  path: string,
  leaves: Leaf[],
): void {
  if (axis === shape.length && isLeaf(level)) {
    leaves.push(level);
    return;
  }
  if (Array.isArray(level) && level.length === shape[axis]) {
    for (const [i, entry] of level.entries())
      collect(entry, shape, axis + 1, `${path}[${i}]`, leaves);
    return;
  }
  const isRagged = Array.isArray(level) || isLeaf(level);
  const expected = axis === shape.length ? 'a number' : `a list of ${shape[axis]}`;
  const got = Array.isArray(level) ? `a list of ${level.length}` : typeof level;
  throw mismatch(
    isRagged ? 'ERR_SHAPE_MISMATCH' : 'ERR_TYPE',
    path,
    `${expected}, like the first entries`,
    got,
  );
}

/**
 * Returns the dtype in which the numbers are written here. The copy converts that to the requested
 * one.
 */
function writable(type: DType): DType {
  const isShort = type.itemsize === 2 && (type.kind === 'f' || type.name === 'bfloat16');
  return isShort ? dtype('float64') : type;
}

function dtypeOf(leaf: Leaf | undefined): DType {
  if (typeof leaf === 'bigint') return dtype('int64');
  if (typeof leaf === 'boolean') return dtype('bool');
  return dtype('float64');
}
