import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { broadcasts } from '../input/shape.js';
import type { ArrayDescriptor } from './descriptor.js';

/** Returns `mask` if it fits an array of `shape`. Throws ERR_MASK. */
export function checkMask(
  mask: ArrayDescriptor,
  shape: readonly number[],
  path: string,
): ArrayDescriptor {
  if (mask.mask !== null) throw maskOfMask(`${path}.mask`);
  if (broadcasts(mask.shape, shape)) return mask;
  throw mismatch(
    'ERR_MASK',
    `${path}.shape`,
    `a mask that broadcasts to ${showList(shape)}`,
    showList(mask.shape),
  );
}

/** Returns the error for a mask that has a mask. */
export function maskOfMask(path: string): ArrayInterfaceError {
  return mismatch(
    'ERR_MASK',
    path,
    'a mask without a mask of its own',
    'a masked one',
    'combine the two first',
  );
}
