import type { Layout } from './descriptor.js';
import { ArrayDescriptor } from './descriptor.js';
import { readList } from './dict.js';
import type { DType } from './dtype.js';
import { ArrayInterfaceError } from './error.js';
import { MAX_ADDRESS, readDimension, readInteger, toCount } from './integer.js';
import { type ByteStrides, byteStrides, contiguousByteStrides } from './strides.js';

/** More axes than this are refused, as in NumPy. */
const MAX_RANK = 64;

/** A layout as a reader found it, not yet known to be possible. */
export interface Claim extends Omit<Layout, 'byteStrides'> {
  /** Null: C-contiguous. */
  readonly byteStrides: ByteStrides | null;
  /** Bytes of `buffer` that the elements may touch; null: all addresses. */
  readonly bounds: readonly [low: number, high: number] | null;
}

/** A claim without anything that is there in some protocols only. */
export const NOWHERE: Pick<Claim, 'base' | 'buffer' | 'bounds' | 'mask' | 'stream' | 'syclobj'> = {
  base: null,
  buffer: null,
  bounds: null,
  mask: null,
  stream: null,
  syclobj: null,
};

/** What the parts are called where they came from, for errors. */
export interface Paths {
  readonly pointer: string;
  readonly shape: string;
  readonly strides: string;
}

/** Reads a list of dimensions. Throws ERR_TYPE, ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW, ERR_RANK_MISMATCH. */
export function readShape(value: unknown, path: string): number[] {
  const entries = readList(value, path, 'a list of dimensions');
  if (entries.length > MAX_RANK) {
    throw new ArrayInterfaceError(
      'ERR_RANK_MISMATCH',
      path,
      `expected at most ${MAX_RANK} dimensions, got ${entries.length}; NumPy takes no more either`,
    );
  }
  return entries.map((length, axis) => readDimension(length, `${path}[${axis}]`));
}

/**
 * Reads strides in units of `unit` bytes; null when absent: C-contiguous. Throws ERR_TYPE,
 * ERR_OVERFLOW, ERR_RANK_MISMATCH.
 */
export function readStrides(
  value: unknown,
  rank: number,
  unit: number,
  path: string,
): ByteStrides | null {
  if (value === null || value === undefined) return null;
  const entries = readList(value, path, 'null or a list of strides');
  if (entries.length !== rank) {
    throw new ArrayInterfaceError(
      'ERR_RANK_MISMATCH',
      path,
      `expected one stride for each of ${rank} dimensions, got ${entries.length}; ` +
        'leave strides out, or null, for C order',
    );
  }
  const strides = entries.map((entry, axis) => {
    const stride = readInteger(entry, `${path}[${axis}]`);
    toCount(stride, `${path}[${axis}]`);
    return toCount(stride * BigInt(unit), `${path}[${axis}]`);
  });
  return byteStrides(strides);
}

/**
 * Makes a descriptor of a layout that is possible: counts and extent fit, addresses do not wrap,
 * only arrays without elements may lie at 0, and JavaScript memory is long enough. Throws
 * ERR_OVERFLOW, ERR_NULL_POINTER, ERR_OUT_OF_BOUNDS, ERR_MASK (strides of a bit field).
 */
export function checkLayout(claim: Claim, paths: Paths): ArrayDescriptor {
  const { pointer, shape, dtype } = claim;
  const { bounds, ...layout } = claim;
  checkCounts(shape, dtype, paths.shape);
  const dense = contiguousByteStrides(shape, dtype.itemsize);
  const strides = claim.byteStrides ?? dense;
  if (dtype.kind === 't') checkBits(strides, dense, paths.strides);
  const empty = shape.includes(0);
  if (pointer === 0n && !empty && bounds === null) throw nullPointer(paths.pointer, shape);
  const [low, high] = empty ? [0n, 0n] : reach(shape, strides, dtype);
  toCount(low, paths.strides);
  toCount(high, paths.strides);
  checkPlace(pointer + low, pointer + high, bounds, paths.pointer);
  return new ArrayDescriptor({ ...layout, byteStrides: strides });
}

function checkCounts(shape: readonly number[], dtype: DType, path: string): void {
  if (shape.includes(0)) return;
  const size = shape.reduce((product, length) => product * BigInt(length), 1n);
  toCount(size, path);
  toCount(size * BigInt(dtype.itemsize), path);
}

/** The extent, exactly; bits of a bit field lie eight to a byte. */
function reach(shape: readonly number[], strides: ByteStrides, dtype: DType): [bigint, bigint] {
  if (dtype.kind === 't') {
    return [0n, (shape.reduce((bits, length) => bits * BigInt(length), 1n) + 7n) / 8n];
  }
  let low = 0n;
  let high = BigInt(dtype.itemsize);
  for (const [axis, length] of shape.entries()) {
    const steps = BigInt(length - 1) * BigInt(strides[axis] as number);
    if (steps < 0n) low += steps;
    else high += steps;
  }
  return [low, high];
}

function checkBits(strides: ByteStrides, dense: ByteStrides, path: string): void {
  if (strides.every((stride, axis) => stride === dense[axis])) return;
  throw new ArrayInterfaceError(
    'ERR_MASK',
    path,
    `expected the bits of a mask one after another, got strides [${strides}]; unpack it to bytes`,
  );
}

function checkPlace(
  low: bigint,
  high: bigint,
  bounds: readonly [number, number] | null,
  path: string,
): void {
  if (bounds === null) {
    if (low >= 0n && high <= MAX_ADDRESS + 1n) return;
    throw new ArrayInterfaceError(
      'ERR_OVERFLOW',
      path,
      `expected elements at addresses within 0 .. 2^64 - 1, got ${low} .. ${high}; ` +
        'check pointer, shape and strides',
    );
  }
  if (low >= BigInt(bounds[0]) && high <= BigInt(bounds[1])) return;
  throw new ArrayInterfaceError(
    'ERR_OUT_OF_BOUNDS',
    path,
    `expected elements within bytes ${bounds[0]} .. ${bounds[1]} of the buffer, got ${low} .. ${high}; ` +
      'check offset, shape and strides',
  );
}

function nullPointer(path: string, shape: readonly number[]): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_NULL_POINTER',
    path,
    `expected the address of an array of shape [${shape}], got 0; only arrays without elements lie there`,
  );
}
