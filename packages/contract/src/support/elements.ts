import { type ArrayLike, type Backend, type DType, makeDescriptor } from '@array-interface/core';
import { Block, type Layout, placeOf, reach } from './block.js';
import { referenceBytes } from './reference.js';

/** The elements of an array in C order, each as the digits of its bytes, and its shape. */
export interface Elements {
  readonly shape: readonly number[];
  readonly all: readonly string[];
}

/** Reads an array's elements, of whatever dtype. */
export async function readElements(
  backend: Backend,
  array: ArrayLike & { readonly shape: readonly number[]; readonly dtype: DType },
): Promise<Elements> {
  const { shape, dtype } = array;
  const size = shape.reduce((product, length) => product * length, 1);
  const buffer = new ArrayBuffer(size * dtype.itemsize);
  await backend.copy(makeDescriptor({ pointer: 0, shape, dtype, buffer }), array);
  return { shape, all: digits(new Uint8Array(buffer), dtype.itemsize) };
}

/** A block with an array of any layout, and the array's elements. */
export async function blockOf(
  backend: Backend,
  layout: Layout,
  seed: number,
): Promise<{ block: Block; elements: Elements }> {
  const block = await Block.make(backend, reach(layout), seed);
  const bytes = referenceBytes(block.expected, placeOf(layout));
  return { block, elements: { shape: layout.shape, all: digits(bytes, layout.dtype.itemsize) } };
}

/** Elements of a shape, each by its indices. */
export function elementsBy(
  shape: readonly number[],
  at: (indices: readonly number[]) => string,
): Elements {
  return { shape, all: placesOf(shape).map(at) };
}

/** The element at some indices. */
export function elementAt({ shape, all }: Elements, indices: readonly number[]): string {
  return all[positionOf(shape, indices)] as string;
}

/** The position of indices in C order. */
export function positionOf(shape: readonly number[], indices: readonly number[]): number {
  return shape.reduce((position, length, axis) => position * length + (indices[axis] as number), 0);
}

/** All indices of a shape, in C order. */
export function placesOf(shape: readonly number[]): (readonly number[])[] {
  return shape.reduce<(readonly number[])[]>(
    (places, length) => places.flatMap((place) => Array.from({ length }, (_, i) => [...place, i])),
    [[]],
  );
}

function digits(bytes: Uint8Array, itemsize: number): string[] {
  return Array.from({ length: bytes.length / itemsize }, (_, i) =>
    Buffer.from(bytes.subarray(i * itemsize, (i + 1) * itemsize)).toString('hex'),
  );
}
