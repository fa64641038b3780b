import type { DType } from '../dtype/dtype.js';
import { readShape } from '../input/shape.js';
import { checkLayout, PATHS, readStrides } from './check-layout.js';
import type { ArrayDescriptor } from './descriptor.js';
import type { ByteStrides } from './strides.js';

/**
 * Returns the layout of an array whose pointer counts from the first byte of a block: one that is
 * not allocated yet, a staging buffer, or `buffer`. C-contiguous unless strides are given. Throws
 * what `makeDescriptor` throws.
 */
export function relativeLayout(
  shape: readonly number[],
  dtype: DType,
  byteStrides: ByteStrides | null = null,
  buffer: ArrayBufferLike | null = null,
): ArrayDescriptor {
  const dimensions = readShape(shape, 'shape');
  return checkLayout(
    {
      pointer: 0n,
      shape: dimensions,
      dtype,
      byteStrides: readStrides(byteStrides, dimensions.length, 1, 'byteStrides'),
      readOnly: false,
      buffer,
      bounds: [0, buffer?.byteLength ?? Number.MAX_SAFE_INTEGER],
    },
    PATHS,
  );
}
