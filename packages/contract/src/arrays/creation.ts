import type { Backend, BackendArray, OwnedArray, TypedArray } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

/** What a call makes, its shape, its typestr, and its elements. */
type Made = readonly [
  name: string,
  make: (backend: Backend) => Promise<OwnedArray<BackendArray>>,
  shape: readonly number[],
  typestr: string,
  elements: readonly (number | bigint)[],
];

const MADE: readonly Made[] = [
  ['zeros', (b) => b.zeros([2, 3], 'float32'), [2, 3], '<f4', [0, 0, 0, 0, 0, 0]],
  ['zeros of bools', (b) => b.zeros([2], 'bool'), [2], '|b1', [0, 0]],
  ['zeros without elements', (b) => b.zeros([2, 0], 'int8'), [2, 0], '|i1', []],
  ['zeros without axes', (b) => b.zeros([], 'int64'), [], '<i8', [0n]],
  ['ones', (b) => b.ones([3], 'uint16'), [3], '<u2', [1, 1, 1]],
  ['ones of complex numbers', (b) => b.ones([2], 'complex64'), [2], '<c8', [1, 0, 1, 0]],
  ['full', (b) => b.full([2, 1], -7, 'int16'), [2, 1], '<i2', [-7, -7]],
  ['full of NaN as bools', (b) => b.full([2], Number.NaN, 'bool'), [2], '|b1', [1, 1]],
  ['full of a bigint', (b) => b.full([2], 2n ** 63n, 'uint64'), [2], '<u8', [2n ** 63n, 2n ** 63n]],
  ['arange', (b) => b.arange(4), [4], '<f8', [0, 1, 2, 3]],
  ['arange from a start', (b) => b.arange(2, 5), [3], '<f8', [2, 3, 4]],
  ['arange in steps', (b) => b.arange(10, 0, -4, { dtype: 'int32' }), [3], '<i4', [10, 6, 2]],
  ['arange of nothing', (b) => b.arange(3, 0), [0], '<f8', []],
  ['arange of fractions', (b) => b.arange(0, 0.3, 0.1), [3], '<f8', [0, 0.1, 0.2]],
  [
    'arange past 2^53',
    (b) => b.arange(2n ** 62n, 2n ** 62n + 2n),
    [2],
    '<i8',
    [2n ** 62n, 2n ** 62n + 1n],
  ],
  ['arange in another byte order', (b) => b.arange(2, { dtype: '>f4' }), [2], '>f4', [0, 1]],
  ['linspace', (b) => b.linspace(1, 2, 3), [3], '<f8', [1, 1.5, 2]],
  [
    'linspace without its end',
    (b) => b.linspace(0, 1, 4, { endpoint: false }),
    [4],
    '<f8',
    [0, 0.25, 0.5, 0.75],
  ],
  [
    'linspace of integers',
    (b) => b.linspace(-1, 2, 5, { dtype: 'int8' }),
    [5],
    '|i1',
    [-1, -1, 0, 1, 2],
  ],
  [
    'linspace to the last integer',
    (b) => b.linspace(0, 256, 2, { endpoint: false, dtype: 'uint8' }),
    [2],
    '|u1',
    [0, 128],
  ],
  ['linspace of one', (b) => b.linspace(3, 9, 1), [1], '<f8', [3]],
  ['linspace of none', (b) => b.linspace(3, 9, 0), [0], '<f8', []],
  ['eye', (b) => b.eye(2), [2, 2], '<f8', [1, 0, 0, 1]],
  ['eye below', (b) => b.eye(3, 2, { k: -1, dtype: 'uint8' }), [3, 2], '|u1', [0, 0, 1, 0, 0, 1]],
  [
    'eye beside the matrix',
    (b) => b.eye(2, 2, { k: 2, dtype: 'uint8' }),
    [2, 2],
    '|u1',
    [0, 0, 0, 0],
  ],
];

/** New arrays of zeros, ones, one value, or numbers in a row. */
export function creation({ backend }: Subject): void {
  const listed = async (array: BackendArray) => [
    ...((await backend.toTypedArray(array)) as never as (number | bigint)[]),
  ];

  describe('new arrays', () => {
    test.each(MADE)('%s', async (_, make, shape, typestr, elements) => {
      using made = await make(backend);
      expect(made.backend).toBe(backend);
      expect(made.shape).toEqual(shape);
      expect(made.base).toBeNull();
      expect(made.dtype.typestr).toBe(typestr);
      expect(await listed(made)).toEqual(elements);
    });

    test('zeros of records, texts and opaque bytes are bytes that are 0', async () => {
      for (const type of [
        [
          ['x', 'f4'],
          ['n', 'i2'],
        ],
        '<U2',
        '|S3',
        '|V5',
        'bfloat16',
      ] as const) {
        using made = await backend.zeros([2], type as never);
        expect(Buffer.from((await bytes(made)).buffer)).toEqual(Buffer.alloc(2 * made.itemsize));
      }
    });

    test('arrays like others have their shape and dtype, in C order', async () => {
      using source = await backend.array(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        { dtype: 'int16' },
      );
      const turned = source.transpose();
      using zeros = await backend.zerosLike(turned);
      using ones = await backend.onesLike(turned, { dtype: 'float32' });
      using full = await backend.fullLike(new Uint8Array(2), 5);
      using empty = backend.emptyLike(turned);
      using listedLike = await backend.zerosLike([[1, 2]]);
      expect([zeros, ones, empty].map(({ shape }) => shape)).toEqual([
        [3, 2],
        [3, 2],
        [3, 2],
      ]);
      expect(empty.contiguous.c).toBe(true);
      expect(empty.dtype.typestr).toBe('<i2');
      expect(await backend.toTypedArray(zeros)).toEqual(new Int16Array(6));
      expect(await backend.toTypedArray(ones)).toEqual(new Float32Array(6).fill(1));
      expect(await backend.toTypedArray(full)).toEqual(Uint8Array.of(5, 5));
      expect(await backend.toTypedArray(listedLike)).toEqual(new Float64Array(2));
    });

    test('take the options of empty', async () => {
      using queue = backend.createQueue();
      const options = { queue, byteStrides: [64, 8] };
      using made = await backend.full([2, 3], 4, 'float32', options);
      expect(made.byteStrides).toEqual([64, 8]);
      expect(made.memory.homeQueue).toBe(queue);
      expect(await listed(made)).toEqual([4, 4, 4, 4, 4, 4]);
      using numbers = await backend.arange(5, { byteStrides: [16] });
      expect(await listed(numbers)).toEqual([0, 1, 2, 3, 4]);
      using matrix = await backend.eye(2, { byteStrides: [16, 8], dtype: 'int8' });
      expect(await listed(matrix)).toEqual([1, 0, 0, 1]);
      using like = await backend.zerosLike(made, { queue });
      expect(like.memory.homeQueue).toBe(queue);
    });

    test('long ranges are computed in parts', async () => {
      const length = 2 ** 18 + 3;
      using made = await backend.arange(0.5, length + 0.5, { dtype: 'float64' });
      const expected = Float64Array.from({ length }, (_, i) => i + 0.5);
      const got = (await backend.toTypedArray(made)) as Float64Array;
      expect(got.findIndex((value, i) => value !== expected[i])).toBe(-1);
      expect(got.length).toBe(length);
    });

    test('what no array can hold is refused', async () => {
      await allRefused(
        'ERR_OVERFLOW',
        () => backend.full([1], 300, 'uint8'),
        () => backend.arange(0, 300, { dtype: 'uint8' }),
        () => backend.arange(-1, 1, { dtype: 'uint8' }),
        () => backend.arange(0, 1, 1e-320),
        () => backend.linspace(0, 300, 3, { dtype: 'uint8' }),
        () => backend.linspace(-1, 1, 3, { dtype: 'uint64' }),
        () => backend.linspace(0, Number.NaN, 3, { dtype: 'int32' }),
        () => backend.linspace(0, 2 ** 63, 2, { dtype: 'int64' }),
        () => backend.zeros([2 ** 40, 2 ** 40], 'uint8'),
      );
      await allRefused(
        ['ERR_TYPE', 'ERR_ARGUMENT'],
        () => backend.arange(0, 2, 0.5, { dtype: 'int32' }),
        () => backend.arange(0, 1, 0),
        () => backend.arange('4' as never),
        () => backend.arange(undefined as never),
        () => (backend as unknown as { arange(): Promise<OwnedArray<BackendArray>> }).arange(),
        () => backend.arange([4] as never),
        () => backend.arange(0, 8, 2, 4 as never),
        () => backend.eye(undefined as never),
        () => backend.linspace(0, 1, 2.5),
        () => backend.linspace('0' as never, 1, 2),
        () => backend.eye(2, 2, { k: 0.5 }),
        () => backend.fullLike(7 as never, 'x' as never),
        () => backend.full([1], 1.5, 'int8'),
      );
      await allRefused(
        'ERR_DTYPE_UNSUPPORTED',
        () => backend.ones([1], '|V3'),
        () => backend.arange(2, { dtype: 'bool' }),
        () => backend.arange(2, { dtype: '<U1' }),
      );
      await refused(() => backend.linspace(0, 1, -1), 'ERR_NEGATIVE_DIMENSION');
      await refused(() => backend.zeros([-1], 'int8'), 'ERR_NEGATIVE_DIMENSION');
      await refused(() => backend.zeros(new Array(65).fill(1), 'int8'), 'ERR_RANK_MISMATCH');
    });
  });

  const bytes = async (array: BackendArray): Promise<TypedArray> =>
    backend.toTypedArray(array.view('uint8'));
}
