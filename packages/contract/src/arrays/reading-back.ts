import type { BackendArray, DTypeLike, NestedElements } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { pendingOrEnded, withFixtures } from '../support/fixtures.js';
import { allRefused, refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';

/** Elements of each kind, as bytes, as values and as text. */
const ELEMENTS: readonly (readonly [DTypeLike, ArrayBufferView, NestedElements, string])[] = [
  ['bool', Uint8Array.of(1, 0), [true, false], '[ True False]'],
  ['int8', Int8Array.of(-1, 2), [-1, 2], '[-1  2]'],
  ['uint32', Uint32Array.of(1, 2 ** 32 - 1), [1, 2 ** 32 - 1], '[         1 4294967295]'],
  [
    'int64',
    BigInt64Array.of(-(2n ** 63n), 5n),
    [-(2n ** 63n), 5n],
    `[${-(2n ** 63n)}                    5]`,
  ],
  [
    'uint64',
    BigUint64Array.of(2n ** 64n - 1n, 0n),
    [2n ** 64n - 1n, 0n],
    `[${2n ** 64n - 1n}                    0]`,
  ],
  [
    'float16',
    Uint16Array.of(0x3555, 0xfc00),
    [0.333251953125, Number.NEGATIVE_INFINITY],
    '[0.3333   -inf]',
  ],
  ['bfloat16', Uint16Array.of(0x3f80, 0x4049), [1, 3.140625], '[1.   3.14]'],
  ['float32', Float32Array.of(0.1, -2), [Math.fround(0.1), -2], '[ 0.1 -2. ]'],
  ['float64', Float64Array.of(Number.NaN, 1e-5), [Number.NaN, 1e-5], '[   nan 1.e-05]'],
  [
    'complex64',
    Float32Array.of(1, -2, 0, 0.5),
    [
      { re: 1, im: -2 },
      { re: 0, im: 0.5 },
    ],
    '[1.-2.j  0.+0.5j]',
  ],
  ['|S3', new TextEncoder().encode('ab\0c\0\0'), ['ab', 'c'], "[b'ab' b'c']"],
  ['<U1', Uint32Array.of(0x1f600, 0x27), ['😀', "'"], "['😀' \"'\"]"],
  [
    '|V2',
    Uint8Array.of(1, 2, 3, 4),
    [Uint8Array.of(1, 2), Uint8Array.of(3, 4)],
    "[b'\\x01\\x02' b'\\x03\\x04']",
  ],
  [
    '<M8[D]',
    BigInt64Array.of(19_000n, -(2n ** 63n)),
    [19_000n, -(2n ** 63n)],
    "['2022-01-08'        'NaT']",
  ],
  [
    [
      ['x', '<i2'],
      ['__proto__', '|u1', [2]],
    ],
    Uint8Array.of(1, 0, 2, 3, 4, 0, 5, 6),
    [record(1, [2, 3]), record(4, [5, 6])],
    '[(1, [2, 3]) (4, [5, 6])]',
  ],
];

function record(x: number, list: number[]): NestedElements {
  return Object.fromEntries([
    ['x', x],
    ['__proto__', list],
  ]);
}

/** Elements as lists, as one value and as text, and the comparison of two arrays. */
export function readingBack({ backend }: BackendSubject): void {
  describe('reading back', () => {
    test.each(ELEMENTS)('%j', async (dtype, bytes, values, text) => {
      using array = backend.empty([2], dtype);
      await backend.copy(array.view('uint8'), new Uint8Array(bytes.buffer));
      expect(await array.toNested()).toEqual(values);
      expect(await array.flip().toNested()).toEqual([...(values as NestedElements[])].reverse());
      expect(await array.slice([1]).item()).toEqual((values as NestedElements[])[1]);
      expect(await array.toText()).toBe(text);
    });

    test('a list for each axis, also for none and for axes without elements', async () => {
      using array = await backend.array(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        { dtype: 'int16' },
      );
      expect(await array.transpose().toNested()).toEqual([
        [1, 4],
        [2, 5],
        [3, 6],
      ]);
      expect(await array.slice([0, 1]).toNested()).toBe(2);
      expect(await array.slice([[0, 0]]).toNested()).toEqual([]);
      expect(await array.slice([null, [0, 0]]).toNested()).toEqual([[], []]);
      expect(await array.toNested({ dtype: 'float32' })).toEqual([
        [1, 2, 3],
        [4, 5, 6],
      ]);
      expect(await array.slice([0, 0]).item({ dtype: 'int64' })).toBe(1n);
    });

    test('64 axes', async () => {
      using array = await backend.array([1, 2], { dtype: 'int8' });
      const deep = array.reshape([...Array<number>(63).fill(1), 2]);
      let level: unknown = await deep.toNested();
      for (let axis = 0; axis < 63; axis++) level = (level as unknown[])[0];
      expect(level).toEqual([1, 2]);
      const wide = { lineWidth: 150 };
      expect(await deep.toText(wide)).toBe(`${'['.repeat(64)}1 2${']'.repeat(64)}`);
      using long = backend.empty([1001], 'int8');
      await backend.fill(long, 3);
      const deepest = long.reshape([...Array<number>(63).fill(1), 1001]);
      expect(await deepest.toText(wide)).toBe(`${'['.repeat(64)}3 3 3 ... 3 3 3${']'.repeat(64)}`);
    });

    test('limits of a text, and values that are no limits', async () => {
      using array = await backend.array([1 / 3, 2 / 3, 1], { dtype: 'float64' });
      expect(await array.toText({ precision: 2 })).toBe('[0.33 0.67 1.  ]');
      expect(await array.toText({ threshold: 2, edgeItems: 1 })).toBe(
        '[0.33333333 ... 1.        ]',
      );
      expect(await array.toText({ lineWidth: 12 })).toBe('[0.33333333\n 0.66666667\n 1.        ]');
      for (const wrong of [
        { precision: -1 },
        { threshold: Number.NaN },
        { edgeItems: 0 },
        { lineWidth: 1.5 },
        { digits: 2 },
      ]) {
        await refused(() => array.toText(wrong), 'ERR_ARGUMENT');
      }
      await refused(() => array.item(), 'ERR_SHAPE_MISMATCH');
      await refused(() => array.toNested({ axes: 2 } as never), 'ERR_ARGUMENT');
      await refused(() => array.toNested({ dtype: 'int8' }), 'ERR_CASTING');
      const signal = AbortSignal.abort();
      for (const read of [
        array.toNested({ signal }),
        array.toText({ signal }),
        backend.allClose(array, 1, { signal }),
      ]) {
        await expect(read).rejects.toThrow('abort');
      }
    });

    test('allClose is that of NumPy, with lists, other dtypes and shapes', async () => {
      using a = await backend.array(
        [
          [1, 2],
          [3, Number.POSITIVE_INFINITY],
        ],
        { dtype: 'float32' },
      );
      const close = (b: Parameters<typeof backend.allClose>[1], options = {}) =>
        backend.allClose(a, b, options);
      const infinity = Number.POSITIVE_INFINITY;
      expect(await close(a)).toBe(true);
      expect(await close(a.flip())).toBe(false);
      expect(
        await close([
          [1, 2.00001],
          [3, infinity],
        ]),
      ).toBe(true);
      expect(
        await close([
          [1, 2.001],
          [3, infinity],
        ]),
      ).toBe(false);
      expect(
        await close(
          [
            [1, 2.001],
            [3, infinity],
          ],
          { rtol: 1e-3 },
        ),
      ).toBe(true);
      expect(
        await close(
          [
            [1.5, 2],
            [3, infinity],
          ],
          { atol: 0.5 },
        ),
      ).toBe(true);
      expect(
        await close([
          [1, 2],
          [3, -infinity],
        ]),
      ).toBe(false);
      expect(
        await backend.allClose(a.slice([0]), [
          [1, 2],
          [1, 2],
        ]),
      ).toBe(true);
      expect(await backend.allClose([Number.NaN], [Number.NaN])).toBe(false);
      expect(await backend.allClose([Number.NaN], [Number.NaN], { equalNaN: true })).toBe(true);
      expect(await backend.allClose(new Int32Array([1, 2]), a.slice([0]))).toBe(true);
      expect(await backend.allClose(a.slice([[0, 0]]), 7)).toBe(true);
      await refused(() => close([1, 2, 3]), 'ERR_SHAPE_MISMATCH');
      using text = backend.empty([2], '|S2');
      await refused(() => close(text), 'ERR_DTYPE_UNSUPPORTED');
      await allRefused(
        'ERR_ARGUMENT',
        () => close(a, { rtol: -1 }),
        () => close(a, { atol: '1' }),
        () => close(a, { equalNaN: 1 }),
        () => close(a, { tolerance: 1 }),
      );
    });
  });

  describe.each(pendingOrEnded(backend))('reading back, with the work %s', (_, settle) => {
    const empty = () => backend.empty([1000], 'float32');
    const test = withFixtures(backend, { array: empty });
    const all = (value: number) => Array<number>(1000).fill(value);

    test('waits for earlier work, and later work waits for it', async ({
      array,
      first,
      second,
      work,
    }) => {
      const reads: Promise<unknown>[] = [];
      for (const value of [1, 2, 3]) {
        work.push(backend.fill(array, value, { queue: value % 2 === 0 ? first : second }));
        await settle();
        reads.push(array.toNested(), textOf(array), backend.allClose(array, value));
      }
      expect(await Promise.all(reads)).toEqual(
        [1, 2, 3].flatMap((value) => [all(value), `${value}.`, true]),
      );
    });

    async function textOf(array: BackendArray): Promise<string | undefined> {
      return (await array.toText({ threshold: 3 })).split(/[[\] ]/)[1];
    }
  });
}
