import type { ArrayDescriptor } from '@array-interface/core';
import { expect } from 'vitest';

/** A layout as a peer reports it, with the names of core. */
export interface PeerLayout {
  readonly pointer: number | bigint;
  readonly shape: readonly number[];
  readonly byteStrides: readonly number[];
  readonly [name: string]: unknown;
}

/** Expects core's array to have the peer's layout, as far as the peer reports it. */
export function expectLayout(array: ArrayDescriptor, peer: PeerLayout): void {
  const { pointer, byteStrides, fields, contiguous, ...rest } = peer;
  const { dtype } = array;
  const own: Record<string, unknown> = {
    shape: array.shape,
    itemsize: array.itemsize,
    kind: dtype.kind,
    byteOrder: dtype.byteOrder,
    size: array.size,
    nbytes: array.nbytes,
    readOnly: array.readOnly,
    extent: array.extent,
  };
  expect(own).toMatchObject(rest);
  expect(meant(array.byteStrides, array)).toEqual(meant(byteStrides, array));
  if (array.size > 0) expect(array.pointer).toBe(BigInt(pointer));
  if (contiguous !== undefined) expect(array.contiguous).toEqual(contiguous);
  if (fields !== undefined) {
    const named = dtype.fields?.map(({ name, offset, itemsize }) => ({ name, offset, itemsize }));
    expect(named ?? null).toEqual(fields);
  }
}

/** Strides mean nothing on axes of length 1 and in arrays without elements. */
function meant(strides: readonly number[], { shape, size }: ArrayDescriptor): (number | null)[] {
  return strides.map((stride, axis) => (size > 0 && shape[axis] !== 1 ? stride : null));
}
