import {
  type ArrayDescriptor,
  type Backend,
  type BackendArray,
  type DType,
  makeDescriptor,
  type OwnedArray,
} from '@array-interface/core';
import { expect } from 'vitest';
import { pattern } from './pattern.js';
import type { Place } from './reference.js';

/** The layout of elements in a block, and their dtype. */
export interface Layout extends Omit<Place, 'itemsize'> {
  readonly dtype: DType;
}

/** Bytes in a backend's memory, with a copy of their expected value. */
export class Block implements Disposable {
  readonly expected: Uint8Array;
  readonly array: OwnedArray<BackendArray>;
  readonly #backend: Backend;

  private constructor(backend: Backend, array: OwnedArray<BackendArray>, expected: Uint8Array) {
    this.#backend = backend;
    this.array = array;
    this.expected = expected;
  }

  static async make(backend: Backend, byteLength: number, seed: number): Promise<Block> {
    const expected = pattern(byteLength, seed);
    const array = await backend.array(expected);
    return new Block(backend, array, expected);
  }

  /** Any layout over the block, as an array of the backend. Does not copy. */
  at(layout: Layout): ArrayDescriptor {
    const { shape, byteStrides, dtype, offset } = layout;
    const pointer = this.array.pointer + BigInt(offset);
    return makeDescriptor({ pointer, shape, byteStrides, dtype, owner: this.array.memory });
  }

  /** Compares every byte with its expected value, including those between elements. */
  async verify(): Promise<void> {
    const got = await this.#backend.toTypedArray(this.array);
    const different = this.expected.findIndex((byte, i) => byte !== got[i]);
    const where = `byte ${different} of the block`;
    expect(different, where).toBe(-1);
    expect(got.length).toBe(this.expected.length);
  }

  [Symbol.dispose](): void {
    this.array[Symbol.dispose]();
  }
}

/** The layout in the form that the reference takes. */
export function placeOf(layout: Layout): Place {
  return { ...layout, itemsize: layout.dtype.itemsize };
}

/** Bytes that a block must have to contain the layout. */
export function reach({ offset, shape, byteStrides, dtype }: Layout): number {
  const steps = shape.map((n, axis) => Math.max(0, (n - 1) * (byteStrides[axis] as number)));
  return offset + steps.reduce((sum, step) => sum + step, dtype.itemsize);
}
