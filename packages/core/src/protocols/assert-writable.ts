import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';

/** Throws ERR_MASK and ERR_STREAM for what `target` can hold neither of. */
export function assertBare(array: ArrayDescriptor, target: string): void {
  if (array.mask !== null) {
    throw mismatch(
      'ERR_MASK',
      'mask',
      `an array without a mask, which ${target} cannot hold`,
      'a masked one',
      'pass the mask apart',
    );
  }
  if (array.stream === null) return;
  throw mismatch(
    'ERR_STREAM',
    'stream',
    `no pending work, which ${target} cannot tell of`,
    `stream ${array.stream}`,
    'wait for it first',
  );
}

/** Throws ERR_DTYPE_UNSUPPORTED for a bit field, which every reader refuses outside a mask. */
export function assertNoBits({ dtype }: ArrayDescriptor): void {
  if (dtype.kind !== 't') return;
  throw mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'typestr',
    'elements of whole bytes',
    `${show(dtype.typestr)}, which stands in masks only`,
    'unpack it to bytes',
  );
}
