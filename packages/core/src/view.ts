import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { type DTypeLike, readDType } from './dtype.js';
import { ArrayInterfaceError } from './error.js';
import { toCount } from './integer.js';
import { makeView } from './make-view.js';

/**
 * A view of the same bytes as another dtype, records included. With another itemsize the last axis
 * must be contiguous, and its elements (its bytes, for a larger one) a whole number of the new
 * ones; NumPy's `view`. Does not copy or convert. Throws what `dtype` throws, ERR_NOT_A_VIEW, and
 * ERR_MASK where the mask tells elements of the last axis apart.
 */
export function view(array: ArrayDescriptor, dtype: DTypeLike): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const to = readDType(dtype, 'dtype');
  const { shape, byteStrides, itemsize, mask } = array;
  if (to.itemsize === itemsize) return makeView(array, { shape, byteStrides, dtype: to }, mask);
  const length = lengthOf(array, to.itemsize);
  const stride = to.itemsize;
  if ((mask?.shape.at(-1) ?? 1) !== 1) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      'mask',
      `expected a mask for the elements of ${to.itemsize} bytes, got one for ${itemsize} bytes; ` +
        'make the view first and give it a mask of its own',
    );
  }
  return makeView(
    array,
    {
      shape: [...shape.slice(0, -1), length],
      byteStrides: [...byteStrides.slice(0, -1), stride],
      dtype: to,
    },
    mask,
  );
}

/** Length of the last axis in elements of another itemsize. Throws ERR_NOT_A_VIEW, ERR_OVERFLOW. */
function lengthOf(array: ArrayDescriptor, to: number): number {
  const { shape, byteStrides, itemsize, size } = array;
  const length = shape.at(-1);
  if (length === undefined) throw notAView(to, 'no axis to resize; reshape the array to [1]');
  if (size > 0 && length > 1 && byteStrides.at(-1) !== itemsize) {
    throw notAView(to, `byte stride ${byteStrides.at(-1)} on the last axis; copy the array first`);
  }
  const bytes = BigInt(length) * BigInt(itemsize);
  const fits = to < itemsize ? itemsize % to === 0 : bytes % BigInt(to) === 0n;
  if (fits) return toCount(bytes / BigInt(to), 'dtype');
  throw notAView(
    to,
    `a last axis of ${length} elements of ${itemsize} bytes; choose another dtype`,
  );
}

function notAView(itemsize: number, got: string): ArrayInterfaceError {
  const expected = `a contiguous last axis that divides into elements of ${itemsize} bytes`;
  return new ArrayInterfaceError('ERR_NOT_A_VIEW', 'dtype', `expected ${expected}, got ${got}`);
}
