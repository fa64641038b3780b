import { toCudaArrayInterface } from '@array-interface/core';

/** The array as a library that knows nothing of ours would export it, some keys changed. */
export function foreign(array, changes = {}, stream = null) {
  const dict = toCudaArrayInterface(array.descriptor.with({ stream }));
  return { __cuda_array_interface__: { ...dict, ...changes } };
}
