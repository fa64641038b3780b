import type { ArrayDescriptor } from './descriptor.js';
import { guarded } from './dict.js';
import { ArrayInterfaceError } from './error.js';
import { show } from './show.js';

/** Reads the dict of a mask whose keys stand under `prefix`, with itself as what keeps it alive. */
export type ReadMask = (dict: unknown, producer: object) => ArrayDescriptor;

/**
 * A mask: null, or an object that exposes the same interface and broadcasts to `shape`. Any
 * non-zero element marks a valid one. Implements CAI v3 and NumPy, "mask". Throws ERR_MASK, and
 * what the mask's own dict is refused with.
 */
export function readMask(
  value: unknown,
  attribute: string,
  shape: readonly number[],
  path: string,
  read: ReadMask,
): ArrayDescriptor | null {
  if (value === null || value === undefined) return null;
  const producer = value;
  const isObject = typeof producer === 'object' || typeof producer === 'function';
  const dict = isObject
    ? guarded('ERR_TYPE', path, () => (producer as Record<string, unknown>)[attribute])
    : undefined;
  if (dict === undefined || dict === null) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      path,
      `expected null or an object with ${attribute}, got ${show(value)}`,
    );
  }
  return checkMask(read(dict, producer), shape, path);
}

/** Returns `mask` if it fits an array of `shape`. Throws ERR_MASK. */
export function checkMask(
  mask: ArrayDescriptor,
  shape: readonly number[],
  path: string,
): ArrayDescriptor {
  const missing = shape.length - mask.ndim;
  const fits = mask.shape.every((length, axis) => length === 1 || length === shape[axis + missing]);
  if (missing < 0 || !fits) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      `${path}.shape`,
      `expected a mask that broadcasts to [${shape}], got [${mask.shape}]`,
    );
  }
  if (mask.mask === null) return mask;
  throw new ArrayInterfaceError(
    'ERR_MASK',
    `${path}.mask`,
    'expected a mask without a mask of its own, got one with; combine the two first',
  );
}
