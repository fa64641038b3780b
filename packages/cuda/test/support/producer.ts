import { type CudaArrayInterface, toCudaArrayInterface } from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import type { CudaArray, Stream } from '@array-interface/cuda';

/** What a foreign library exports: an interface dict, and nothing that this library defines. */
export interface ForeignProducer {
  readonly __cuda_array_interface__: CudaArrayInterface;
}

/** The array as a library that knows nothing of this one would export it, with work on `stream`. */
export function foreignProducer(
  array: CudaArray,
  stream: Stream | null,
  changes: Readonly<Record<string, unknown>> = {},
): ForeignProducer {
  const dict = toCudaArrayInterface(replace(array.descriptor, { stream: stream?.handle ?? null }));
  const [pointer, readOnly] = dict.data;
  const data = [pointer, readOnly]; // a new list, by which the backend cannot find its own memory
  return { __cuda_array_interface__: { ...dict, data, ...changes } as never };
}
