import { expect, test } from 'vitest';
import { referenceBytes, referenceCopy } from '../../src/support/reference.js';

// What NumPy gives for the same: the reference is compared with no code of the product.

test('a transposed and reversed source, as numpy: a.T[::-1]', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
  const place = { offset: 2, shape: [3, 2], byteStrides: [-1, 3], itemsize: 1 };
  expect([...referenceBytes(bytes, place)]).toEqual([3, 6, 2, 5, 1, 4]);
});

test('broadcasting, as numpy: a[...] = b', () => {
  const to = { offset: 1, shape: [2, 3], byteStrides: [4, 1], itemsize: 1 };
  const row = { offset: 0, shape: [3], byteStrides: [1], itemsize: 1 };
  const column = { offset: 0, shape: [2, 1], byteStrides: [1, 9], itemsize: 1 };
  const bytes = new Uint8Array(8);
  referenceCopy(bytes, to, Uint8Array.of(7, 8, 9), row);
  expect([...bytes]).toEqual([0, 7, 8, 9, 0, 7, 8, 9]);
  referenceCopy(bytes, to, Uint8Array.of(5, 6), column);
  expect([...bytes]).toEqual([0, 5, 5, 5, 0, 6, 6, 6]);
});

test('elements of several bytes, and overlap as if through a copy', () => {
  const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
  const to = { offset: 2, shape: [2], byteStrides: [2], itemsize: 2 };
  const from = { offset: 0, shape: [2], byteStrides: [2], itemsize: 2 };
  referenceCopy(bytes, to, bytes, from);
  expect([...bytes]).toEqual([1, 2, 1, 2, 3, 4]);
});

test('no axes, and no elements', () => {
  const one = { offset: 1, shape: [], byteStrides: [], itemsize: 2 };
  expect([...referenceBytes(Uint8Array.of(1, 2, 3), one)]).toEqual([2, 3]);
  const none = { offset: 0, shape: [2, 0], byteStrides: [1, 1], itemsize: 2 };
  expect(referenceBytes(Uint8Array.of(1, 2), none).length).toBe(0);
});
