import { dtype, makeDescriptor } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { Block, type Layout, placeOf } from '../support/block.js';
import { pattern } from '../support/pattern.js';
import { referenceCopy } from '../support/reference.js';
import type { Subject } from '../support/subject.js';

const ON_DEVICE: Layout = {
  offset: 3,
  shape: [4, 5],
  byteStrides: [4, 17],
  dtype: dtype('float32'),
};
const IN_BUFFER: Layout = {
  offset: 61,
  shape: [4, 5],
  byteStrides: [-20, 4],
  dtype: dtype('float32'),
};

/** Typed arrays and buffers as source and destination, in any layout. */
export function javaScriptMemory({ backend }: Subject): void {
  describe('JavaScript memory', () => {
    test('a strided part of a buffer as source', async () => {
      using block = await Block.make(backend, 100, 1);
      const bytes = pattern(90, 2);
      await backend.copy(block.at(ON_DEVICE), inBuffer(bytes));
      referenceCopy(block.expected, placeOf(ON_DEVICE), bytes, placeOf(IN_BUFFER));
      await block.verify();
    });

    test('a strided part of a buffer as destination', async () => {
      using block = await Block.make(backend, 100, 1);
      const bytes = pattern(90, 2);
      const expected = bytes.slice();
      await backend.copy(inBuffer(bytes), block.at(ON_DEVICE));
      referenceCopy(expected, placeOf(IN_BUFFER), block.expected, placeOf(ON_DEVICE));
      expect(bytes).toEqual(expected);
      await block.verify();
    });

    test('a large destination is written in pieces until a listener throws', async () => {
      const [size, reason] = [17 * 2 ** 20, new Error('mine')];
      using array = backend.empty([size], 'uint8');
      await backend.fill(array, 1);
      const reported: number[] = [];
      const copied = backend.copy(new Uint8Array(size), array, {
        onProgress({ bytes }) {
          reported.push(bytes);
          throw reason;
        },
      });
      await expect(copied).rejects.toBe(reason);
      expect(reported).toHaveLength(1);
    });

    test('from one buffer into another, without a device', async () => {
      const source = Int32Array.of(1, 2, 3);
      const target = new Int32Array(6);
      await backend.copy(target.subarray(3), source);
      expect(target).toEqual(Int32Array.of(0, 0, 0, 1, 2, 3));
      await backend.fill(target, -1);
      expect(target).toEqual(new Int32Array(6).fill(-1));
      expect(await backend.toTypedArray(target.subarray(4))).toEqual(Int32Array.of(-1, -1));
    });

    test('from one buffer into another part of it', async () => {
      const bytes = pattern(64, 9);
      const expected = bytes.slice().copyWithin(1, 0, 63);
      await backend.copy(bytes.subarray(1), bytes.subarray(0, 63));
      expect(bytes).toEqual(expected);
    });

    test('shared buffers, DataViews and buffers', async () => {
      const shared = new Uint8Array(new SharedArrayBuffer(24)).fill(5);
      using array = await backend.array(shared.subarray(8, 16));
      const target = new ArrayBuffer(8);
      await backend.copy(target, array);
      expect(new Uint8Array(target)).toEqual(new Uint8Array(8).fill(5));
      await backend.copy(shared.subarray(0, 8), await backend.array(new Uint8Array(8).fill(6)));
      expect([...shared]).toEqual([...Array(8).fill(6), ...Array(16).fill(5)]);
      await backend.copy(array, new DataView(pattern(20, 3).buffer, 4, 8));
      expect(await backend.toTypedArray(array)).toEqual(pattern(20, 3).slice(4, 12));
    });
  });
}

function inBuffer(bytes: Uint8Array) {
  const { shape, byteStrides, dtype, offset } = IN_BUFFER;
  const buffer = bytes.buffer as ArrayBuffer;
  return makeDescriptor({ pointer: offset, shape, byteStrides, dtype, buffer });
}
