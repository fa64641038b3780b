import { expect, test } from 'vitest';
import { type ArrayDescriptor, makeDescriptor } from '../../src/index.js';
import { copyBuffers } from '../../src/plan/copy-buffers.js';
import { expectRefusal } from '../support/refusal.js';

function at(
  buffer: ArrayBuffer | SharedArrayBuffer,
  pointer: number,
  shape: readonly number[],
  byteStrides: readonly number[],
): ArrayDescriptor {
  return makeDescriptor({ pointer, shape, dtype: 'uint16', byteStrides, buffer });
}

test('copies any layout into any other, and nothing between the elements', () => {
  const source = Uint16Array.of(1, 2, 3, 4, 5, 6);
  const target = new Uint16Array(8).fill(9);
  copyBuffers(at(target.buffer, 2, [3, 2], [4, 2]), at(source.buffer, 4, [3, 2], [-2, 6]));
  expect([...target]).toEqual([9, 3, 6, 2, 5, 1, 4, 9]);
});

test('repeats broadcast elements', () => {
  const source = Uint16Array.of(7, 8);
  const target = new Uint16Array(6);
  copyBuffers(at(target.buffer, 0, [3, 2], [4, 2]), at(source.buffer, 0, [2], [2]));
  expect([...target]).toEqual([7, 8, 7, 8, 7, 8]);
  copyBuffers(at(target.buffer, 2, [2], [6]), at(source.buffer, 2, [], []));
  expect([...target]).toEqual([7, 8, 7, 8, 8, 8]);
});

test('within one buffer as if the source had been copied first', () => {
  const { buffer } = Uint16Array.of(1, 2, 3, 4);
  copyBuffers(at(buffer, 0, [4], [2]), at(buffer, 6, [4], [-2]));
  expect([...new Uint16Array(buffer)]).toEqual([4, 3, 2, 1]);
});

test('and so between two SharedArrayBuffers, which may be the same memory', () => {
  const buffer = new SharedArrayBuffer(8);
  new Uint16Array(buffer).set([1, 2, 3, 4]);
  const same = structuredClone(buffer);
  expect(same).not.toBe(buffer);
  copyBuffers(at(same, 0, [4], [2]), at(buffer, 6, [4], [-2]));
  expect([...new Uint16Array(buffer)]).toEqual([4, 3, 2, 1]);
});

test('refuses a buffer that was detached since it was described', () => {
  const source = Uint16Array.of(1, 2);
  const target = new Uint16Array(2);
  const [to, from] = [at(target.buffer, 0, [2], [2]), at(source.buffer, 0, [2], [2])];
  structuredClone(source.buffer, { transfer: [source.buffer] });
  expectRefusal(() => copyBuffers(to, from), 'ERR_OUT_OF_BOUNDS', 'source');
  expectRefusal(() => copyBuffers(from, to), 'ERR_OUT_OF_BOUNDS', 'destination');
  expect([...target]).toEqual([0, 0]);
});
