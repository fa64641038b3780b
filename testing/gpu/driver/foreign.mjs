import { toCudaArrayInterface } from '@array-interface/core';
import { replace } from '@array-interface/core/backend';

/** The array as a library that knows nothing of ours would export it, some keys changed. */
export function foreign(array, changes = {}, stream = null) {
  const dict = toCudaArrayInterface(replace(array.descriptor, { stream }));
  return { __cuda_array_interface__: { ...dict, ...changes } };
}
