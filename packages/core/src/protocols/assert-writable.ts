import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { ArrayInterfaceError } from '../errors/error.js';
import { show } from '../errors/show.js';

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

/** Throws ERR_DTYPE_UNSUPPORTED for a bit field, which every reader refuses outside a mask. */
export function assertNoBits({ dtype }: ArrayDescriptor): void {
  if (dtype.kind !== 't') return;
  throw new ArrayInterfaceError(
    'ERR_DTYPE_UNSUPPORTED',
    'typestr',
    `expected elements of whole bytes, got ${show(dtype.typestr)}, which stands in masks only; ` +
      'unpack it to bytes',
  );
}
