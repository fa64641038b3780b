import type { OwnedArray, TypedArray } from '@array-interface/core';
import { type HostArray, host } from '@array-interface/host';

/** What an `ndarray` of @stdlib says of its elements. Its strides and its offset count elements. */
interface NdArray {
  readonly data: TypedArray;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
}

/** The elements of an ndarray as an array, in the memory of the ndarray. */
export function fromNdArray({ data, shape, strides, offset }: NdArray): OwnedArray<HostArray> {
  return host.asArray(data, { shape, elementStrides: strides, elementOffset: offset });
}
