import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { isArrayInterfaceError } from '../../errors/error.js';
import { reshape } from '../../views/reshape.js';
import type { Backend } from '../interface/array.js';
import type { ArrayOptions, CopyOptions } from '../interface/options.js';

/**
 * Copies an array into one of another shape with as many elements, in C order. Takes a view of one
 * side in the other's shape. If neither side has one, copies the source into a dense array first.
 * `copying`: the options that concern the copy.
 */
export async function copyReshaped(
  backend: Backend,
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  options: ArrayOptions,
  copying: CopyOptions,
): Promise<void> {
  if (options.shape === undefined) return backend.copy(to, from, copying);
  const target = asView(to, from.shape);
  if (target !== null) return backend.copy(target, from, copying);
  const source = asView(from, to.shape);
  if (source !== null) return backend.copy(to, source, copying);
  const { shape: _, byteStrides: __, onProgress: ___, ...rest } = options;
  using dense = await backend.array(from, { ...rest, dtype: to.dtype });
  await backend.copy(to, reshape(dense.descriptor, to.shape), copying);
}

function asView(array: ArrayDescriptor, shape: readonly number[]): ArrayDescriptor | null {
  try {
    return reshape(array, shape);
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_NOT_A_VIEW')) return null;
    throw error;
  }
}
