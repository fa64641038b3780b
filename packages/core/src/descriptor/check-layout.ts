import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { entryOf, lengthOf } from '../input/dict.js';
import { isAddress, MAX_ADDRESS, readCount, toCount } from '../input/integer.js';
import { checkCounts } from '../input/shape.js';
import { ArrayDescriptor } from './descriptor.js';
import type { Layout } from './layout.js';
import { contiguity, extent } from './layout.js';
import { type ByteStrides, contiguousByteStrides } from './strides.js';

/** An extent that starts at or below this address ends within 64 bits. */
const FAR_FROM_END = MAX_ADDRESS - BigInt(Number.MAX_SAFE_INTEGER);

/** A layout as a reader found it, not yet checked. */
export interface Claim extends Omit<Layout, 'byteStrides'> {
  /** Null means C-contiguous. */
  readonly byteStrides: ByteStrides | null;
  /** Range of bytes of `buffer` that the elements may occupy. Null or absent: any address. */
  readonly bounds?: readonly [low: number, high: number] | null;
}

/** The names of the parts in their source, for error messages. */
export interface Paths {
  readonly pointer: string;
  readonly shape: string;
  readonly strides: string;
}

/** The names that a descriptor itself has for them. */
export const PATHS: Paths = { pointer: 'pointer', shape: 'shape', strides: 'byteStrides' };

/**
 * Reads strides in units of `unit` bytes. Returns null if there are none, which means C-contiguous.
 * Throws ERR_TYPE, ERR_OVERFLOW, ERR_RANK_MISMATCH.
 */
export function readStrides(
  value: unknown,
  rank: number,
  unit: number,
  path: string,
): ByteStrides | null {
  if (value === null || value === undefined) return null;
  const length = lengthOf(value, path, 'null or a list of strides');
  if (length !== rank) {
    throw mismatch(
      'ERR_RANK_MISMATCH',
      path,
      `one stride for each of ${rank} dimensions`,
      length,
      'leave strides out, or null, for C order',
    );
  }
  const strides = new Array<number>(rank);
  for (let axis = 0; axis < rank; axis++) {
    const stride = readCount(entryOf(value, axis, path), path, axis);
    const bytes = stride * unit;
    strides[axis] = Number.isSafeInteger(bytes)
      ? bytes + 0 // -0 is 0
      : toCount(BigInt(stride) * BigInt(unit), path, axis);
  }
  return strides;
}

/**
 * Makes a descriptor if the layout is possible: counts and extent fit, addresses do not wrap, no
 * element has address 0, and JavaScript memory is long enough. Throws ERR_OVERFLOW,
 * ERR_NULL_POINTER, ERR_OUT_OF_BOUNDS, ERR_MASK (strides of a bit field).
 */
export function checkLayout(claim: Claim, paths: Paths): ArrayDescriptor {
  const { pointer, shape, dtype, bounds = null } = claim;
  const size = checkCounts(shape, dtype.itemsize, paths.shape);
  const empty = size === 0;
  const strides = stridesOf(claim, paths.strides);
  if (pointer === 0n && !empty && bounds === null) throw nullPointer(paths.pointer, shape);
  const [low, high] =
    dtype.kind === 't' ? [0, Math.ceil(size / 8)] : extent(shape, strides, dtype.itemsize);
  // If the difference is safe, so are both ends, and those of every view.
  if (!Number.isSafeInteger(high - low)) {
    throw mismatch(
      'ERR_OVERFLOW',
      paths.strides,
      'elements within 2^53 - 1 bytes of one another',
      `shape ${showList(shape)} with strides of ${showList(strides)} bytes`,
      'describe the array in smaller parts',
    );
  }
  if (bounds !== null) checkBounds(pointer, low, high, bounds, paths.pointer);
  else if (!empty) checkPlace(pointer, low, high, dtype.itemsize, paths.pointer);
  return new ArrayDescriptor(
    claim.byteStrides === strides ? (claim as Claim & Layout) : { ...claim, byteStrides: strides },
  );
}

/**
 * Returns the address `shift` bytes from a start. If that is not a valid address, an empty array
 * gets the start itself. `checkLayout` rejects one with elements.
 */
export function pointerFrom(start: bigint, shift: bigint, shape: readonly number[]): bigint {
  const pointer = start + shift;
  return !shape.includes(0) || isAddress(pointer) ? pointer : start;
}

/** Returns the claimed strides, or those of C order. */
function stridesOf({ byteStrides: claimed, shape, dtype }: Claim, path: string): ByteStrides {
  if (claimed === null) return contiguousByteStrides(shape, dtype.itemsize);
  return dtype.kind === 't' ? stridesOfBits(shape, claimed, path) : claimed;
}

/** Rejects other strides than C order: a bit field packs its bits eight to a byte, in sequence. */
function stridesOfBits(shape: readonly number[], strides: ByteStrides, path: string): ByteStrides {
  if (contiguity(shape, strides, 1).c) return contiguousByteStrides(shape, 1);
  throw mismatch(
    'ERR_MASK',
    path,
    'the bits of a mask in C order without gaps',
    `strides ${showList(strides)}`,
    'unpack it to bytes',
  );
}

/**
 * Throws ERR_OVERFLOW unless every element, even one without bytes, has an address other than 0.
 */
function checkPlace(
  pointer: bigint,
  low: number,
  high: number,
  itemsize: number,
  path: string,
): void {
  // Bigint arithmetic costs more than all other checks, and most arrays are far from both ends.
  if (low === 0 && pointer > 0n && pointer <= FAR_FROM_END) return;
  const [first, end] = [pointer + BigInt(low), pointer + BigInt(high)];
  const last = end - BigInt(Math.min(itemsize, 1));
  if (first > 0n && last <= MAX_ADDRESS) return;
  throw mismatch(
    'ERR_OVERFLOW',
    path,
    'elements at addresses within 1 .. 2^64 - 1',
    `${first} .. ${end}`,
    'check pointer, shape and strides',
  );
}

function checkBounds(
  pointer: bigint,
  low: number,
  high: number,
  bounds: readonly [number, number],
  path: string,
): void {
  const [first, end] = [pointer + BigInt(low), pointer + BigInt(high)];
  if (first >= BigInt(bounds[0]) && end <= BigInt(bounds[1])) return;
  throw mismatch(
    'ERR_OUT_OF_BOUNDS',
    path,
    `elements within bytes ${bounds[0]} .. ${bounds[1]} of the buffer`,
    `${first} .. ${end}`,
    'check offset, shape and strides',
  );
}

/** Returns the error for elements at address 0. */
export function nullPointer(path: string, shape: readonly number[]): ArrayInterfaceError {
  return mismatch(
    'ERR_NULL_POINTER',
    path,
    `the address of an array of shape ${showList(shape)}`,
    '0',
    'only empty arrays may have a null pointer',
  );
}
