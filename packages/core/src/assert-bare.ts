import type { ArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';

/** Throws ERR_MASK and ERR_STREAM for what `target` can hold neither of. */
export function assertBare(array: ArrayDescriptor, target: string): void {
  if (array.mask !== null) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      'mask',
      `expected an array without a mask, which ${target} cannot hold, got a masked one; pass the mask apart`,
    );
  }
  if (array.stream === null) return;
  throw new ArrayInterfaceError(
    'ERR_STREAM',
    'stream',
    `expected no pending work, which ${target} cannot tell of, got stream ${array.stream}; wait for it first`,
  );
}
