import { mismatch } from '../errors/mismatch.js';
import { digits, show } from '../errors/show.js';

/** The largest address, and the largest handle. */
export const MAX_ADDRESS: bigint = 2n ** 64n - 1n;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns whether `pointer` is a valid address. */
export function isAddress(pointer: bigint): boolean {
  return pointer >= 0n && pointer <= MAX_ADDRESS;
}

/** Returns the path of an entry, or of the whole list. Called only when an error is thrown. */
export function at(path: string, index: number | undefined): string {
  return index === undefined ? path : `${path}[${index}]`;
}

/**
 * Reads an exact integer: a bigint, or a number that holds one exactly. Throws ERR_TYPE for
 * anything else: a rounded number, a float, a boolean, a string.
 */
export function readInteger(value: unknown, path: string, index?: number): bigint {
  if (typeof value === 'bigint') return value;
  if (isSafe(value)) return BigInt(value);
  const rounded = typeof value === 'number' && Number.isInteger(value);
  throw mismatch(
    'ERR_TYPE',
    at(path, index),
    rounded ? 'an exact integer' : 'an integer',
    rounded ? `${show(value)}, past 2^53 - 1 where a number is rounded` : show(value),
    'pass a bigint or a safe integer',
  );
}

/** Returns whether `value` is a number that holds an integer exactly. */
function isSafe(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** Reads an integer as a safe JavaScript integer. Throws ERR_TYPE, ERR_OVERFLOW. */
export function readCount(value: unknown, path: string, index?: number): number {
  if (isSafe(value)) return value + 0; // -0 is 0
  return toCount(readInteger(value, path, index), path, index);
}

/** Converts a bigint to a number. Throws ERR_OVERFLOW if that would round it. */
export function toCount(value: bigint, path: string, index?: number): number {
  if (value >= -MAX_SAFE && value <= MAX_SAFE) return Number(value);
  throw mismatch(
    'ERR_OVERFLOW',
    at(path, index),
    'a count of at most 2^53 - 1',
    digits(value),
    'describe the array in smaller parts',
  );
}

/** Reads the length of an axis. Throws ERR_TYPE, ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW. */
export function readDimension(value: unknown, path: string, index?: number): number {
  if (isSafe(value) && value >= 0) return value + 0;
  const length = readInteger(value, path, index);
  if (length >= 0n) return toCount(length, path, index);
  throw mismatch(
    'ERR_NEGATIVE_DIMENSION',
    at(path, index),
    'a dimension of 0 or more',
    digits(length),
    'a reversed axis has a negative stride instead',
  );
}

/** Reads an address. Throws ERR_TYPE, ERR_POINTER_RANGE. */
export function readPointer(value: unknown, path: string, index?: number): bigint {
  if (isSafe(value) && value >= 0) return BigInt(value);
  const pointer = readInteger(value, path, index);
  if (isAddress(pointer)) return pointer;
  throw mismatch(
    'ERR_POINTER_RANGE',
    at(path, index),
    'an address in 0 .. 2^64 - 1',
    digits(pointer),
    'pass the pointer as an unsigned integer',
  );
}

/**
 * Reads CAI's `stream`: null for none, 1n and 2n for the default streams, or a handle. Implements
 * CAI v3 "stream". Throws ERR_TYPE, ERR_STREAM.
 */
export function readStream(value: unknown, path: string): bigint | null {
  if (value === null || value === undefined) return null;
  const stream = readInteger(value, path);
  if (stream >= 1n && stream <= MAX_ADDRESS) return stream;
  throw mismatch(
    'ERR_STREAM',
    path,
    'null, 1 (legacy default), 2 (per-thread default) or a handle',
    digits(stream),
    '0 is ambiguous and not allowed',
  );
}
