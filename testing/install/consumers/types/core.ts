import {
  type ArrayDescriptor,
  type ArrayInterfaceError,
  type Backend,
  type BackendArray,
  broadcastArrays,
  type CudaArrayInterface,
  dtype,
  field,
  flip,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromProducer,
  isArrayInterfaceError,
  makeDescriptor,
  type OwnedArray,
  reshape,
  slice,
  type TypedArray,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '@array-interface/core';
import type { Availability, Driver, PointerInfo } from '@array-interface/core/backend';
import { type Compatibility, whoCanRead } from '@array-interface/core/compatibility';
import { type DLPackFields, fromDLPack, toDLPack } from '@array-interface/core/dlpack';
import { mayShareMemory, overlapsItself, sharesMemory } from '@array-interface/core/overlap';
import { deserialize, type SerializedDescriptor, serialize } from '@array-interface/core/serialize';

const data = [0x7f0000000000, false] as const;
const matrix: ArrayDescriptor = fromCudaArrayInterface({
  version: 3,
  shape: [4, 6],
  typestr: '<f4',
  data,
});
// @ts-expect-error: a misspelt key
fromCudaArrayInterface({ version: 3, shpae: [4, 6], typestr: '<f4', data });
// @ts-expect-error: a misspelt key that may be left out
fromCudaArrayInterface({ version: 3, shape: [24], typestr: '<f4', data, stirdes: [4] });
// @ts-expect-error: a misspelt option
fromCudaArrayInterface(toCudaArrayInterface(matrix), { onwer: null });
// @ts-expect-error: a descriptor is immutable
matrix.shape = [24];

const column = slice(matrix, [[null, null, -1], 2]);
// @ts-expect-error: ranges are numbers, null, or what a slice has
slice(matrix, ['1']);
const dict: CudaArrayInterface = toCudaArrayInterface(flip(column, 0));
const strides: readonly (number | bigint)[] | null = toSyclUsmArrayInterface(
  reshape(matrix, [24]),
  {
    syclobj: 'gpu',
  },
).strides;

export function nameOf(value: unknown): string {
  if (isArrayInterfaceError(value)) return codeOf(value);
  return dtype([['x', '<f4']]).typestr;
}

function codeOf(error: ArrayInterfaceError): string {
  // @ts-expect-error: no such code
  if (error.code === 'ERR_SHPAE') return '';
  return error.code;
}

/** A library that knows no backend. */
export async function doubled<A extends BackendArray>(
  backend: Backend<A>,
  values: number[],
): Promise<TypedArray> {
  const owner: OwnedArray<A> = await backend.array(values, { dtype: 'float32' });
  try {
    // @ts-expect-error: no such order
    backend.asArray({ __array_interface__: {} }, { sync: 'later' });
    return await backend.toTypedArray(owner.flip(0));
  } finally {
    owner[Symbol.dispose]();
  }
}

const tensor: DLPackFields = toDLPack(matrix, { device: { type: 2, id: 0 } });
const plain: SerializedDescriptor = serialize(fromDLPack(tensor));
const readers: readonly Compatibility[] = whoCanRead(deserialize(plain));
const shares: boolean = mayShareMemory(matrix, column) || sharesMemory(matrix, column);
const [first, second]: readonly ArrayDescriptor[] = broadcastArrays(
  field(matrix, 'x'),
  fromProducer({ __cuda_array_interface__: dict }),
);
export type Told = [Availability, PointerInfo, Driver];
export {
  first,
  fromArrayInterface,
  makeDescriptor,
  overlapsItself,
  readers,
  second,
  shares,
  strides,
};
