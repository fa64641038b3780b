import { type BackendArray, dtype, type ErrorCode } from '@array-interface/core';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { randomCopy } from '../copies/random-layout.js';
import { placeOf } from '../support/block.js';
import {
  blockOf,
  elementAt,
  elementsBy,
  placesOf,
  positionOf,
  readElements,
} from '../support/elements.js';
import { pendingOrEnded, withFixtures } from '../support/fixtures.js';
import { pattern } from '../support/pattern.js';
import { random } from '../support/random-cases.js';
import { allRefused, refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';

/** Every kind of indices: what they are made of, and how. */
const KINDS = [
  'list',
  'int32',
  'int64',
  'array of int32',
  'array of int64',
  'other array',
] as const;

/** Reads and writes elements by their indices, beside a loop over all indices. */
export function indexing(subject: BackendSubject): void {
  const { backend, runs = 100 } = subject;
  const settings = random(runs / 2);
  const isChecked = !['cuda', 'sycl'].includes(backend.name);
  const listed = async (array: BackendArray) => [...(await backend.toTypedArray(array))];
  const row = (values: readonly number[] = [0, 1, 2, 3, 4]) =>
    backend.array(values, { dtype: 'int16' });
  const test = withFixtures(backend, { row: () => row() });

  /** The indices in a form, and what has to be disposed of. */
  async function indicesAs(
    kind: (typeof KINDS)[number],
    indices: readonly number[],
    shape: readonly number[],
  ) {
    const nested = (from: readonly number[], lengths: readonly number[]): unknown =>
      lengths.length === 0
        ? from[0]
        : Array.from({ length: lengths[0] as number }, (_, i) => {
            const part = from.length / (lengths[0] as number);
            return nested(from.slice(i * part, (i + 1) * part), lengths.slice(1));
          });
    if (shape.length === 0) return indices[0] as never;
    if (kind === 'list' && !shape.includes(0)) return nested(indices, shape) as never;
    const isFlat = shape.length === 1;
    if (kind === 'int32' && isFlat) return Int32Array.from(indices);
    if (kind === 'int64' && isFlat) return BigInt64Array.from(indices, BigInt);
    const type = kind.endsWith('int64') ? 'int64' : kind === 'other array' ? '>i2' : 'int32';
    const array = await backend.array(Float64Array.from(indices), {
      dtype: type,
      shape,
      casting: 'unsafe',
    });
    return kind === 'other array' && isFlat ? array.flip().flip() : array;
  }

  const cases = fc.record({
    copy: randomCopy,
    seed: fc.nat({ max: 1000 }),
    along: fc.nat(),
    kind: fc.constantFrom(...KINDS),
    indexShape: fc.array(fc.nat({ max: 4 }), { maxLength: 2 }),
    numbers: fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 16, maxLength: 16 }),
    broadcast: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  });

  /** The indices of a case: within an axis, some negative. */
  function indicesOf(
    numbers: readonly number[],
    shape: readonly number[],
    length: number,
  ): number[] {
    return placesOf(shape).map((_, i) => {
      const number = numbers[i] as number;
      return number < 0 ? -1 - (-number % length) : number % length;
    });
  }

  describe('elements by their indices', () => {
    test(`are taken from random layouts, seed ${settings.seed}`, async () => {
      const property = fc.asyncProperty(cases, async ({ copy: { from }, ...drawn }) => {
        if (from.shape.length === 0) return;
        const axis = drawn.along % from.shape.length;
        const length = from.shape[axis] as number;
        const shape = length === 0 ? [0] : drawn.indexShape;
        const indices = indicesOf(drawn.numbers, shape, length);
        const { block, elements } = await blockOf(backend, from, drawn.seed);
        using _ = block;
        const given = await indicesAs(drawn.kind, indices, shape);
        using taken = await backend.take(block.at(from), given, { axis: axis - from.shape.length });
        const wanted = from.shape.toSpliced(axis, 1, ...shape);
        const expected = elementsBy(wanted, (place) => {
          const index = indices[
            positionOf(shape, place.slice(axis, axis + shape.length))
          ] as number;
          const at = index < 0 ? index + length : index;
          return elementAt(elements, place.toSpliced(axis, shape.length, at));
        });
        expect(await readElements(backend, taken)).toEqual(expected);
        (given as Partial<Disposable>)[Symbol.dispose]?.();
      });
      await fc.assert(property, settings);
    });

    test(`are put into random layouts, seed ${settings.seed}`, async () => {
      const property = fc.asyncProperty(cases, async ({ copy: { to, name }, ...drawn }) => {
        if (to.shape.length === 0) return;
        const axis = drawn.along % to.shape.length;
        const length = to.shape[axis] as number;
        const shape = length === 0 ? [0] : drawn.indexShape;
        const indices = indicesOf(drawn.numbers, shape, length);
        const { block } = await blockOf(backend, to, drawn.seed);
        using _ = block;
        const wanted = to.shape.toSpliced(axis, 1, ...shape);
        const missing = drawn.broadcast[6] ? 1 : 0;
        const some = wanted.slice(missing).map((n, one) => (drawn.broadcast[one] ? 1 : n));
        const type = dtype(name);
        const size = some.reduce((product, n) => product * n, 1);
        const bytes = pattern(size * type.itemsize, drawn.seed + 1);
        using raw = await backend.array(bytes.length === 0 ? new Uint8Array(1) : bytes);
        using values = await backend.array(raw.slice([[0, bytes.length]]).view(type), {
          shape: some,
        });
        const given = await indicesAs(drawn.kind, indices, shape);
        await backend.put(block.at(to), given, values, { axis });
        putInto(block.expected, placeOf(to), { axis, shape, indices, wanted, length }, bytes, some);
        await block.verify();
        (given as Partial<Disposable>)[Symbol.dispose]?.();
      });
      await fc.assert(property, settings);
    });

    test(`are chosen from random layouts, seed ${settings.seed}`, async () => {
      const property = fc.asyncProperty(cases, async ({ copy: { from }, ...drawn }) => {
        const { block, elements } = await blockOf(backend, from, drawn.seed);
        using _ = block;
        const shape = from.shape.map((n, axis) => (drawn.broadcast[axis] ? 1 : n));
        const flags = placesOf(shape).map((_, i) => (drawn.numbers[i % 16] as number) > 0);
        using mask = await backend.array(Uint8Array.from(flags, Number), {
          shape,
          dtype: 'bool',
          casting: 'unsafe',
        });
        using zeros = await backend.zerosLike(block.at(from));
        using chosen = await backend.where(mask, block.at(from), zeros.flip());
        const zero = '0'.repeat(2 * from.dtype.itemsize);
        const expected = elementsBy(from.shape, (place) => {
          const at = place.map((i, axis) => ((shape[axis] as number) === 1 ? 0 : i));
          return flags[positionOf(shape, at)] ? elementAt(elements, place) : zero;
        });
        expect(await readElements(backend, chosen)).toEqual(expected);
      });
      await fc.assert(property, settings);
    });

    test('of equal indices, the last one counts', async () => {
      const count = 5000;
      const indices = Int32Array.from({ length: count }, (_, i) => (i * i + (i >> 3)) % 37);
      using target = await backend.array(new Int32Array(3 * 37).fill(-1), { shape: [3, 37] });
      const expected = new Int32Array(3 * 37).fill(-1);
      const values = Int32Array.from({ length: 3 * count }, (_, i) => i);
      for (let block = 0; block < 3; block++) {
        indices.forEach((index, i) => {
          expected[block * 37 + index] = values[block * count + i] as number;
        });
      }
      using given = await backend.array(values, { shape: [3, count] });
      for (let again = 0; again < 3; again++) {
        await backend.put(target, indices, given, { axis: 1 });
        expect(await backend.toTypedArray(target)).toEqual(expected);
        await backend.fill(target, -1);
      }
    });

    test('an index that the host sees is checked, and its place named', async ({ row: array }) => {
      using table = await backend.array(new Int16Array(6), { shape: [2, 3] });
      const wrong: readonly [indices: unknown, path: string][] = [
        [[0, 1, 2, 5], 'indices[3]'],
        [[0, -6], 'indices[1]'],
        [Int32Array.of(0, 7), 'indices[1]'],
        [BigInt64Array.of(2n ** 62n), 'indices[0]'],
        [[[1], [1e9]], 'indices[1][0]'],
        [9, 'indices'],
        [[-(2n ** 63n)], 'indices[0]'],
      ];
      for (const [indices, path] of wrong) {
        for (const call of [
          () => backend.take(array, indices as never),
          () => backend.put(array, indices as never, 7),
        ]) {
          expect((await refused(call, 'ERR_ARGUMENT')).path).toBe(path);
        }
      }
      expect(
        (await refused(() => backend.take(table, [0, 2], { axis: 0 }), 'ERR_ARGUMENT')).path,
      ).toBe('indices[1]');
      expect(await listed(array)).toEqual([0, 1, 2, 3, 4]);
    });

    test('an index in memory of the backend leads to no other memory', async ({ row: array }) => {
      const far = [0n, 7n, -9n, 2n ** 62n, -(2n ** 62n), -1n];
      using indices = await backend.array(BigInt64Array.from(far));
      const view = array.slice([[1, 4]]);
      if (isChecked) {
        expect((await refused(() => backend.take(view, indices), 'ERR_ARGUMENT')).path).toBe(
          'indices[1]',
        );
        expect((await refused(() => backend.put(view, indices, 9), 'ERR_ARGUMENT')).path).toBe(
          'indices[1]',
        );
        expect(await listed(array)).toEqual([0, 1, 2, 3, 4]);
        return;
      }
      using taken = await backend.take(view, indices);
      expect(await listed(taken)).toEqual([1, 3, 1, 3, 1, 3]);
      await backend.put(view, indices, [10, 20, 30, 40, 50, 60]);
      expect(await listed(array)).toEqual([0, 50, 2, 60, 4]);
    });

    test('lists, lists of bigints and numbers are values and indices', async ({ row: array }) => {
      await backend.put(array, [1n, -1n], [70, 80]);
      await backend.put(array, 0, 60);
      expect(await listed(array)).toEqual([60, 70, 2, 3, 80]);
      using one = await backend.take(array, 1);
      expect([one.shape, await listed(one)]).toEqual([[], [70]]);
      using square = await backend.take(
        [
          [1, 2],
          [3, 4],
        ],
        [1, 0],
        { axis: 1 },
      );
      expect(await listed(square)).toEqual([2, 1, 4, 3]);
      using none = await backend.take(array, []);
      expect(none.shape).toEqual([0]);
      await backend.put(array, [], 5);
      using halves = await backend.zeros([2], 'float16');
      await backend.put(halves, [1], 1.5);
      expect(await backend.toTypedArray(halves, { dtype: 'float32' })).toEqual(
        Float32Array.of(0, 1.5),
      );
    });

    test('values are converted as far as casting allows', async ({ row: array }) => {
      await refused(() => backend.put(array, [0], Float32Array.of(1)), 'ERR_CASTING');
      await refused(() => backend.put(array, [0], [1.5]), 'ERR_TYPE');
      await refused(() => backend.put(array, [0], [70000]), 'ERR_OVERFLOW');
      expect(await listed(array)).toEqual([0, 1, 2, 3, 4]);
      await backend.put(array, [0], Float32Array.of(7.9), { casting: 'unsafe' });
      await backend.put(array, [1], Int8Array.of(-8));
      expect(await listed(array)).toEqual([7, -8, 2, 3, 4]);
    });

    test('values and indices may share memory with the array', async () => {
      using array = await backend.array(BigInt64Array.of(3n, 2n, 1n, 0n));
      await backend.put(array, array, array.flip());
      expect(await listed(array)).toEqual([3n, 2n, 1n, 0n]);
      await backend.put(array, [0, 1, 2], array.slice([[1, 4]]));
      expect(await listed(array)).toEqual([2n, 1n, 0n, 0n]);
      await backend.put(array.flip(), [0], 9);
      expect(await listed(array)).toEqual([2n, 1n, 0n, 9n]);
    });

    test('the dtype of a choice holds both', async () => {
      using bytes = await backend.array([1, 2], { dtype: 'uint8' });
      const typeOf = async (a: never, b: never) => {
        using chosen = await backend.where([true, false], a, b);
        return [chosen.dtype.typestr, ...(await listed(chosen))];
      };
      const call = (a: unknown, b: unknown) => typeOf(a as never, b as never);
      expect(await call(bytes, 7)).toEqual(['|u1', 1, 7]);
      expect(await call(bytes, 0.5)).toEqual(['<f8', 1, 0.5]);
      expect(await call(-1, new Float32Array(1))).toEqual(['<f4', -1, 0]);
      expect(await call(bytes, Int8Array.of(-1))).toEqual(['<i2', 1, -1]);
      expect(await call(3, 4)).toEqual(['<f8', 3, 4]);
      expect(await call(5n, bytes)).toEqual(['|u1', 5, 2]);
      await refused(() => call(bytes, 300), 'ERR_OVERFLOW');
      await refused(() => call(bytes, new Uint8Array(3)), 'ERR_SHAPE_MISMATCH');
      await refused(() => backend.where(Float32Array.of(1), bytes, bytes), 'ERR_TYPE');
      using opaque = await backend.zeros([1], '|V2');
      await refused(() => call(opaque, bytes), 'ERR_DTYPE_UNSUPPORTED');
    });

    test('a refused put writes nothing', async ({ row: array }) => {
      using readOnly = await backend.array([1, 2, 3], { dtype: 'int16' });
      const refusals: readonly [ErrorCode, () => Promise<void>][] = [
        ['ERR_SHAPE_MISMATCH', () => backend.put(array, [0, 1], [1, 2, 3])],
        ['ERR_ARGUMENT', () => backend.put(array, [0], 9, { axis: 1 })],
        ['ERR_ARGUMENT', () => backend.put(array.reshape([5, 1]), [0], 9)],
        ['ERR_TYPE', () => backend.put(array, [0.5], 9)],
        ['ERR_TYPE', () => backend.put(array, [true], 9)],
        ['ERR_TYPE', () => backend.put(array, Float32Array.of(0), 9)],
        ['ERR_TYPE', () => backend.put(array, BigUint64Array.of(0n), 9)],
        ['ERR_READ_ONLY', () => backend.put(readOnly.broadcastTo([2, 3]), [0], 9, { axis: 0 })],
        ['ERR_ARGUMENT', () => backend.put([1, 2] as never, [0], 9)],
        ['ERR_ARGUMENT', () => backend.put(array, [0], 9, { queue: {} as never })],
        ['ERR_NO_INTERFACE', () => backend.put(array, [0], {} as never)],
      ];
      for (const [code, call] of refusals) await refused(call, code);
      const signal = AbortSignal.abort();
      await expect(backend.put(array, [0], 9, { signal })).rejects.toThrow(/abort/i);
      expect(await listed(array)).toEqual([0, 1, 2, 3, 4]);
      await allRefused(
        'ERR_ARGUMENT',
        () => backend.take(array.reshape([5, 1]), [0]),
        () => backend.take(array.slice([0]), [0]),
        () => backend.take(array, [0], { axis: 1 }),
      );
      using none = backend.empty([0], 'int16');
      await refused(() => backend.take(none, [0]), 'ERR_ARGUMENT');
      await refused(() => backend.put(none, [0], 1), 'ERR_ARGUMENT');
    });

    test('disposed arrays are refused', async ({ row: array }) => {
      const gone = await row();
      gone[Symbol.dispose]();
      await allRefused(
        'ERR_DISPOSED',
        () => backend.take(gone, [0]),
        () => backend.take(array, gone),
        () => backend.put(gone, [0], 1),
        () => backend.put(array, [0], gone),
        () => backend.where([true], gone, array),
      );
    });
  });

  const addLater =
    subject.addLater ?? (async (array: BackendArray) => void (await backend.fill(array, 1)));

  describe.each(pendingOrEnded(backend))('work on elements, with earlier work %s', (_, earlier) => {
    test('each call is of its time, whatever comes before and after', async ({ first, work }) => {
      using source = await backend.array(new Float32Array(1000));
      using copied = backend.empty([1000], 'float32');
      work.push(addLater(source, 1, first));
      await earlier();
      const indices = Int32Array.from({ length: 1000 }, (_, i) => 999 - i);
      const taken = backend.take(source, indices);
      const mask = Uint8Array.from(indices, (i) => i % 2);
      const chosen = backend.where(mask, source, 5);
      work.push(backend.copy(copied, source));
      work.push(backend.put(copied, [0, 999], [7, 8]));
      work.push(backend.fill(source, 3));
      work.push(backend.put(source, indices.subarray(0, 500), copied.slice([[0, 500]])));
      work.push(backend.fill(copied.slice([[999, 1000]]), 4));
      using result = await taken;
      expect(await backend.toTypedArray(result)).toEqual(new Float32Array(1000).fill(1));
      using choice = await chosen;
      expect(await backend.toTypedArray(choice)).toEqual(
        Float32Array.from(mask, (one) => (one ? 1 : 5)),
      );
      const expected = new Float32Array(1000).fill(1);
      expected[0] = 7;
      expected[999] = 4;
      expect(await backend.toTypedArray(copied)).toEqual(expected);
      const both = new Float32Array(1000).fill(3);
      both.fill(1, 500);
      both[999] = 7;
      expect(await backend.toTypedArray(source)).toEqual(both);
    });

    test('arrays may be disposed of once the call has returned', async ({ work }) => {
      const source = await row();
      const indices = await backend.array([4, 0], { dtype: 'int32' });
      using target = await row();
      await earlier();
      const taken = backend.take(source, indices);
      const chosen = backend.where(Uint8Array.of(1, 0, 1, 0, 1), source, 9);
      work.push(backend.put(target, indices, source.slice([[1, 3]])));
      source[Symbol.dispose]();
      indices[Symbol.dispose]();
      using result = await taken;
      using choice = await chosen;
      expect(await listed(result)).toEqual([4, 0]);
      expect(await listed(choice)).toEqual([0, 9, 2, 9, 4]);
      expect(await listed(target)).toEqual([2, 1, 2, 3, 1]);
    });

    test('on a queue that is named', async ({ first, second, work }) => {
      using source = await backend.array([1, 2, 3], { dtype: 'int16', queue: first });
      using target = await backend.zeros([3], 'int16', { queue: second });
      await earlier();
      using taken = await backend.take(source, [2, 1], { queue: second });
      expect(taken.memory.homeQueue).toBe(second);
      work.push(backend.put(target, [0, 1], taken, { queue: first }));
      work.push(backend.put(target.flip(), [0], source.slice([[0, 1]])));
      expect(await listed(target)).toEqual([3, 2, 1]);
    });
  });
}

/** `target[…, indices, …] = values`, one element after the other. */
function putInto(
  bytes: Uint8Array,
  place: ReturnType<typeof placeOf>,
  put: {
    readonly axis: number;
    readonly shape: readonly number[];
    readonly indices: readonly number[];
    readonly wanted: readonly number[];
    readonly length: number;
  },
  values: Uint8Array,
  shape: readonly number[],
): void {
  const { itemsize } = place;
  const missing = put.wanted.length - shape.length;
  for (const at of placesOf(put.wanted)) {
    const index = put.indices[
      positionOf(put.shape, at.slice(put.axis, put.axis + put.shape.length))
    ] as number;
    const target = at.toSpliced(put.axis, put.shape.length, index < 0 ? index + put.length : index);
    const offset = target.reduce(
      (sum, i, axis) => sum + i * (place.byteStrides[axis] as number),
      place.offset,
    );
    const from = positionOf(
      shape,
      shape.map((n, axis) => (n === 1 ? 0 : (at[axis + missing] as number))),
    );
    bytes.set(values.subarray(from * itemsize, (from + 1) * itemsize), offset);
  }
}
