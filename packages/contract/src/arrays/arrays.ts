import {
  type ArrayLike,
  type DTypeName,
  fromArrayInterface,
  type NestedNumbers,
  type TypedArray,
} from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const VALUES: readonly [DTypeName, NestedNumbers, TypedArray][] = [
  ['bool', [true, false, true], Uint8Array.of(1, 0, 1)],
  ['int8', [-128, 0, 127], Int8Array.of(-128, 0, 127)],
  ['uint8', [0, 1, 255], Uint8Array.of(0, 1, 255)],
  ['int16', [-32768, 5, 32767], Int16Array.of(-32768, 5, 32767)],
  ['uint16', [0, 65535], Uint16Array.of(0, 65535)],
  ['int32', [-(2 ** 31), 7], Int32Array.of(-(2 ** 31), 7)],
  ['uint32', [0, 2 ** 32 - 1], Uint32Array.of(0, 2 ** 32 - 1)],
  ['int64', [-(2n ** 63n), 3n], BigInt64Array.of(-(2n ** 63n), 3n)],
  ['uint64', [2n ** 64n - 1n, 3], BigUint64Array.of(2n ** 64n - 1n, 3n)],
  ['float32', [1.5, -0.25, Infinity], Float32Array.of(1.5, -0.25, Infinity)],
  ['float64', [0.1, -1e300], Float64Array.of(0.1, -1e300)],
  ['complex64', [1.5, 2], Float32Array.of(1.5, 0, 2, 0)],
  ['complex128', [0.1], Float64Array.of(0.1, 0)],
];

/** 12 bytes: four of padding, a record with one and a pair, one of padding, and a count. */
const RECORD = fromArrayInterface({
  version: 3,
  shape: [0],
  typestr: '|V12',
  descr: [
    ['', '|V4'],
    [
      'inner',
      [
        ['one', '|u1'],
        ['pair', '|u1', [2]],
      ],
    ],
    ['', '|V1'],
    ['count', '<i4'],
  ],
  data: [0n, false],
}).dtype;

/** Makes arrays, fills them and reads them back. */
export function arrays({ backend }: Subject): void {
  const listed = async (array: ArrayLike) => [...(await backend.toTypedArray(array))];

  describe('arrays', () => {
    test.each(VALUES)('%s: from numbers and back', async (name, values, elements) => {
      using array = await backend.array(values, { dtype: name });
      expect(array.shape).toEqual([(values as readonly NestedNumbers[]).length]);
      expect(await backend.toTypedArray(array)).toEqual(elements);
    });

    test.each(VALUES)('%s: filled', async (name, values, elements) => {
      const [value] = values as readonly (number | bigint | boolean)[];
      const each = elements.length / (values as readonly NestedNumbers[]).length;
      using array = backend.empty([2, 3], name);
      await backend.fill(array, value as number);
      const expected = Array(6).fill([...elements.slice(0, each)]);
      expect(await listed(array)).toEqual(expected.flat());
    });

    test.each([
      ['float16', [0x3e00, 0x3555, 0x6800, 0xfc00]],
      ['bfloat16', [0x3fc0, 0x3eab, 0x4500, 0xff80]],
    ] as const)('%s: made and filled, without a typed array of that type', async (name, bits) => {
      const numbers = [1.5, 1 / 3, 2049, -Infinity];
      using array = await backend.array(numbers, { dtype: name });
      const words = array.view('uint16');
      expect(await backend.toTypedArray(words)).toEqual(Uint16Array.from(bits));
      await backend.fill(array, numbers[1] as number);
      expect(await backend.toTypedArray(words)).toEqual(new Uint16Array(4).fill(bits[1]));
    });

    test('nested numbers become axes', async () => {
      using array = await backend.array([
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
        [
          [9, 10],
          [11, 12],
        ],
      ]);
      expect(array.shape).toEqual([3, 2, 2]);
      expect(array.dtype.typestr).toBe('<f8');
      expect(await listed(array)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });

    test('the same elements in the requested shape', async () => {
      const values = Float32Array.of(1, 2, 3, 4, 5, 6);
      using table = await backend.array(values, { shape: [3, -1] });
      expect(table.shape).toEqual([3, 2]);
      expect(table.base).toBeNull();
      expect(await backend.toTypedArray(table)).toEqual(values);
      using flat = await backend.array([7, 8], { shape: [1, 2, 1], dtype: 'uint8' });
      expect(flat.shape).toEqual([1, 2, 1]);
      expect(await listed(flat)).toEqual([7, 8]);
      using number = await backend.array(9, { shape: [1, 1] });
      expect(number.shape).toEqual([1, 1]);
      using none = await backend.array(new Float32Array(0), { shape: [0, 5] });
      expect(none.shape).toEqual([0, 5]);
    });

    test('in C order, whatever the layout of either side', async () => {
      using table = await backend.array(Uint8Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3] });
      const turned = table.transpose();
      const expected = [1, 4, 2, 5, 3, 6];
      using dense = await backend.array(turned, { shape: [6] });
      expect(await listed(dense)).toEqual(expected);
      using padded = await backend.array(dense, { shape: [2, 3], byteStrides: [16, 4] });
      expect(await listed(padded)).toEqual(expected);
      // Neither side can be viewed in the shape of the other.
      const both = { shape: [2, 3], byteStrides: [16, 4], dtype: 'float32' } as const;
      using apart = await backend.array(turned, both);
      expect(apart.byteStrides).toEqual([16, 4]);
      expect(await listed(apart)).toEqual(expected);
    });

    test('refuses a shape with another number of elements', async () => {
      const values = Float32Array.of(1, 2, 3, 4, 5, 6);
      const into = (shape: unknown) => () => backend.array(values, { shape: shape as number[] });
      await allRefused('ERR_SHAPE_MISMATCH', ...[[7], [2, 2], [], [0], [-1, 4]].map(into));
      await refused(into([-1, -1]), 'ERR_ARGUMENT');
      await refused(into([-2, 3]), 'ERR_ARGUMENT', 'ERR_NEGATIVE_DIMENSION');
      await refused(into('6'), 'ERR_TYPE', 'ERR_ARGUMENT');
    });

    test('one number is an array without axes', async () => {
      using array = await backend.array(42, { dtype: 'int32' });
      expect(array.shape).toEqual([]);
      expect(await listed(array)).toEqual([42]);
    });

    test('an array without elements', async () => {
      using array = backend.empty([0, 3], 'float32');
      using copied = await backend.array(new Float32Array(0));
      await backend.fill(array, 1);
      await backend.copy(array, array.flip());
      await backend.copy(copied, new Float32Array(0));
      for (const none of [array, copied]) {
        expect(await backend.toTypedArray(none)).toEqual(new Float32Array(0));
      }
    });

    test('the requested byte strides, with room for the last element', async () => {
      using array = backend.empty([3, 2], 'float32', { byteStrides: [256, 4] });
      expect(array.byteStrides).toEqual([256, 4]);
      using values = await backend.array(
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        { dtype: 'float32' },
      );
      await backend.copy(array, values);
      expect(await listed(array)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test('copies the elements of a typed array, and shares no memory with it', async () => {
      const source = Int16Array.of(1, 2, 3);
      using array = await backend.array(source);
      source.fill(9);
      expect(await backend.toTypedArray(array)).toEqual(Int16Array.of(1, 2, 3));
    });

    test('views share memory', async () => {
      using array = await backend.array(Float32Array.of(0, 1, 2, 3, 4, 5));
      await backend.fill(array.slice([[null, null, -2]]), 9);
      expect(await listed(array)).toEqual([0, 9, 2, 9, 4, 9]);
      using table = await backend.array(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        { dtype: 'uint8' },
      );
      const flipped = table.permuteDims([1, 0]).flip(0);
      expect(flipped.memory).toBe(table.memory);
      expect(await listed(flipped)).toEqual([3, 6, 2, 5, 1, 4]);
    });

    test('reshaped, repeated and typed views share memory', async () => {
      using array = await backend.array(Int16Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
      const table = array.reshape([3, -1]);
      const turned = table.transpose();
      expect(await listed(turned)).toEqual([0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
      const apart = table.slice([null, 1]).expandDims(1);
      const repeated = apart.broadcastTo([2, 3, 2]);
      expect(await listed(repeated)).toEqual([1, 1, 5, 5, 9, 9, 1, 1, 5, 5, 9, 9]);
      await backend.fill(apart.squeeze(1), 0x1122);
      const bytes = table.view('uint8');
      expect(bytes.shape).toEqual([3, 8]);
      expect(await listed(bytes.slice([1]))).toEqual([4, 0, 0x22, 0x11, 6, 0, 7, 0]);
      await allRefused(
        'ERR_NOT_A_VIEW',
        () => turned.reshape([12]),
        () => turned.view('uint8'),
      );
      await refused(() => backend.copy(repeated, repeated), 'ERR_READ_ONLY');
    });

    test('fields of records are views', async () => {
      using bytes = await backend.array(Uint8Array.from({ length: 24 }, (_, index) => index));
      const records = bytes.view(RECORD);
      expect(records.shape).toEqual([2]);
      const pairs = records.field('inner', 'pair');
      expect(pairs.shape).toEqual([2, 2]);
      expect(await listed(pairs)).toEqual([5, 6, 17, 18]);
      await backend.fill(records.field('count'), 0);
      expect((await listed(bytes)).slice(6, 14)).toEqual([6, 7, 0, 0, 0, 0, 12, 13]);
      await refused(() => records.field('inner', 'nothing'), 'ERR_ARGUMENT');
    });

    test('refuses what cannot be an array', async () => {
      await refused(() => backend.empty([-1], 'uint8'), 'ERR_NEGATIVE_DIMENSION');
      await allRefused(
        'ERR_TYPE',
        () => backend.empty(['1'] as never, 'uint8'),
        () => backend.array(['x'] as never),
        () => backend.asArray(7 as never),
      );
      await allRefused(
        'ERR_OVERFLOW',
        () => backend.empty([2 ** 40, 2 ** 40], 'uint8'),
        () => backend.array([300], { dtype: 'uint8' }),
      );
      await refused(() => backend.empty([2 ** 52], 'uint8'), 'ERR_OUT_OF_MEMORY');
      await refused(() => backend.empty([1], '<f3' as never), 'ERR_TYPESTR');
      const byteStrides = [1, 1];
      await refused(() => backend.empty([2], 'uint8', { byteStrides }), 'ERR_RANK_MISMATCH');
      await refused(() => backend.array([[1, 2], [3]]), 'ERR_SHAPE_MISMATCH');
      await refused(() => backend.array({} as never), 'ERR_NO_INTERFACE');
    });
  });
}
