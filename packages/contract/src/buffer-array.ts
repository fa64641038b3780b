import { type ArrayDescriptor, type DType, fromArrayInterface } from '@array-interface/core';

/** Bytes of a whole buffer, as a row of elements of any dtype. */
export function bufferArray(bytes: Uint8Array, dtype: DType): ArrayDescriptor {
  const shape = [bytes.length / dtype.itemsize];
  return fromArrayInterface({ version: 3, shape, typestr: dtype.typestr, data: bytes });
}
