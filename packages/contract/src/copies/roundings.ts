import { readFileSync } from 'node:fs';
import {
  type ArrayDescriptor,
  type Backend,
  type DType,
  dtype,
  fromArrayInterface,
  type SliceRange,
} from '@array-interface/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { random } from '../support/random-cases.js';
import { refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

/** Type from, type to, bytes of some floats, bytes of the integers nearest to them. */
type Row = readonly [from: string, to: string, source: string, expected: string];

/** testing/peers/python/make_conversions.py makes the file, with `np.rint`. */
const ROWS: readonly Row[] = JSON.parse(
  readFileSync(new URL('../src/copies/numpy-roundings.json', import.meta.url), 'utf8'),
);

const NEAREST = { casting: 'unsafe', rounding: 'nearest' } as const;
const INTEGERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'];
const FLOATS = ['float16', 'bfloat16', 'float32', 'float64'];

/** Floats that become the nearest integers, ties to even. */
export function roundings({ backend, runs = 100 }: Subject): void {
  describe('rounding to the nearest integer', () => {
    test('the fixture has every pair of types', () => expect(ROWS.length).toBe(3 * 8));

    test.each(ROWS)('%s to %s, as NumPy does', async (...row) => {
      const [from, to] = [dtype(row[0]), dtype(row[1])];
      const [source, expected] = [bytesOf(row[2]), bytesOf(row[3])];
      using given = await backend.array(over(source, from));
      using target = backend.empty(given.shape, to);
      const taken = () => bytes(backend, target);
      await backend.copy(target, given, NEAREST);
      expect(await taken(), 'in its own memory').toEqual(expected);
      await backend.copy(target.flip(), given.flip(), NEAREST);
      expect(await taken(), 'backwards').toEqual(expected);
      await backend.fill(target, 0);
      await backend.copy(target, over(source, from), NEAREST);
      expect(await taken(), 'up').toEqual(expected);
      const down = new Uint8Array(expected.length);
      await backend.copy(over(down, to), given, NEAREST);
      expect(down, 'down').toEqual(expected);
      await backend.copy(over(down.fill(0), to), over(source, from), NEAREST);
      expect(down, 'within JavaScript memory').toEqual(expected);
    });

    const settings = random(runs / 4);
    test(`random layouts, seed ${settings.seed}`, () =>
      fc.assert(
        fc.asyncProperty(layouts, async ({ shape, from, to, near, far, seed }) => {
          const values = valuesOf(shape, seed);
          using dense = await backend.array(values, {
            shape,
            dtype: dtype(from),
            casting: 'unsafe',
          });
          using sources = backend.empty(roomFor(shape, far), dtype(from));
          using targets = backend.empty(roomFor(shape, near), dtype(to));
          const [source, target] = [laidOut(sources, far), laidOut(targets, near)];
          await backend.copy(source, dense);
          await backend.copy(target, source, NEAREST);
          const exact = await backend.toTypedArray(dense, { dtype: 'float64' });
          const expected = Array.from(exact, (value) => nearest(value, to));
          const elements = [...(await backend.toTypedArray(target))];
          expect(elements.map(BigInt)).toEqual(expected);
        }),
        settings,
      ));

    test.each([
      ['float32', 'uint8'],
      ['float64', 'int32'],
      ['float16', 'int16'],
    ])(
      'many numbers of %s, turned, to %s, before and after a kernel is built',
      async (from, to) => {
        const shape = [96, 700];
        const values = valuesOf(shape, 7);
        using source = await backend.array(values, {
          shape,
          dtype: dtype(from),
          casting: 'unsafe',
        });
        const exact = await backend.toTypedArray(source.transpose(), { dtype: 'float64' });
        const expected = Array.from(exact, (value) => Number(nearest(value, to)));
        for (let round = 0; round < 2; round++) {
          using target = backend.empty([700, 96], dtype(to));
          await backend.copy(target, source.transpose(), NEAREST);
          expect([...(await backend.toTypedArray(target))]).toEqual(expected);
          await backend.whenKernelsReady();
        }
      },
    );

    test('at odd addresses, and onto the same bytes', async () => {
      using block = await backend.array(new Uint8Array(41));
      using odd = backend.asArray(block, { shape: [5], dtype: 'float64', byteOffset: 1 });
      await backend.copy(odd, Float64Array.of(0.5, 1.5, -2.5, 3.7, -0.2));
      using target = backend.empty([5], 'int32');
      await backend.copy(target, odd, NEAREST);
      expect(await backend.toTypedArray(target)).toEqual(Int32Array.of(0, 2, -2, 4, 0));
      using same = await backend.array(Float32Array.of(2.5, 3.5, -1.6, 7));
      await backend.copy(same.view('int32').flip(), same, NEAREST);
      expect(await backend.toTypedArray(same.view('int32'))).toEqual(Int32Array.of(7, -2, 4, 2));
    });

    test('of the real part of complex numbers; bools and floats have nothing to round', async () => {
      using pairs = await backend.array([1.5, 2.5, -0.5], { dtype: 'complex64' });
      using whole = await backend.array(pairs, { dtype: 'int16', ...NEAREST });
      expect(await backend.toTypedArray(whole)).toEqual(Int16Array.of(2, 2, 0));
      using floats = await backend.array(Float64Array.of(0.4, 0, -0.4));
      const flags = await backend.toTypedArray(floats, { dtype: 'bool', ...NEAREST });
      expect(flags).toEqual(Uint8Array.of(1, 0, 1));
      const shorter = await backend.toTypedArray(floats, { dtype: 'float32', ...NEAREST });
      expect(shorter).toEqual(Float32Array.of(0.4, 0, -0.4));
    });

    test('in lists, fills and typed arrays; the default cuts off', async () => {
      const list = [0.5, 1.5, 254.5, 300, NaN, -0.7];
      const typed = Float64Array.from(list);
      const rounded = Uint8Array.of(0, 2, 254, 255, 0, 0);
      for (const source of [list, typed, [typed]]) {
        using array = await backend.array(source, { dtype: 'uint8', ...NEAREST });
        expect(await backend.toTypedArray(array)).toEqual(rounded);
        const cut = { dtype: 'uint8', casting: 'unsafe', rounding: 'truncate' } as const;
        using same = await backend.array(source, cut);
        expect(await backend.toTypedArray(same)).toEqual(Uint8Array.of(0, 1, 254, 255, 0, 0));
      }
      expect(await backend.toTypedArray(typed, { dtype: 'uint8', ...NEAREST })).toEqual(rounded);
      using filled = backend.empty([2], 'int32');
      await backend.fill(filled, 3.5, NEAREST);
      expect(await backend.toTypedArray(filled)).toEqual(Int32Array.of(4, 4));
    });

    test('allows no conversion by itself, and has two names', async () => {
      using target = await backend.array(Int32Array.of(5));
      const source = Float32Array.of(1.5);
      const { message } = await refused(
        () => backend.copy(target, source, { rounding: 'nearest' }),
        'ERR_CASTING',
      );
      expect(message).toContain("casting: 'unsafe'");
      const wrong = { casting: 'unsafe', rounding: 'up' as never } as const;
      await refused(() => backend.copy(target, source, wrong), 'ERR_ARGUMENT');
      expect(await backend.toTypedArray(target)).toEqual(Int32Array.of(5));
    });
  });
}

/** How one side lays out a shape: the order of its axes, and the step along each. */
type Recipe = readonly { readonly key: number; readonly step: number }[];

const recipe: fc.Arbitrary<Recipe> = fc.array(
  fc.record({ key: fc.nat(), step: fc.constantFrom(1, 1, 2, 3, -1, -2) }),
  { minLength: 3, maxLength: 3 },
);

const layouts = fc.record({
  shape: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
  from: fc.constantFrom(...FLOATS),
  to: fc.constantFrom(...INTEGERS),
  near: recipe,
  far: recipe,
  seed: fc.nat(),
});

function orderOf(recipe: Recipe, ndim: number): number[] {
  const keys = recipe.map(({ key }) => key);
  return [...Array(ndim).keys()].sort((a, b) => (keys[a] as number) - (keys[b] as number));
}

/** The shape of a dense array that has room for `laidOut`. */
function roomFor(shape: readonly number[], recipe: Recipe): number[] {
  return orderOf(recipe, shape.length).map(
    (axis) => (shape[axis] as number) * Math.abs((recipe[axis] as Recipe[0]).step),
  );
}

/** The view of that array which has the shape again. */
function laidOut<A extends Awaited<ReturnType<Backend['array']>>>(array: A, recipe: Recipe) {
  const order = orderOf(recipe, array.ndim);
  const ranges = recipe.slice(0, array.ndim).map(({ step }): SliceRange => [null, null, step]);
  return array.permuteDims(order.map((_, axis) => order.indexOf(axis))).slice(ranges);
}

/** Halves, quarters, numbers at the limits of integers, huge ones, and none. */
function valuesOf(shape: readonly number[], seed: number): Float64Array {
  const size = shape.reduce((product, length) => product * length, 1);
  const special = [NaN, Infinity, -Infinity, -0, 1e30, -1e30, 2 ** 31 - 0.5, 127.5, 255.5, 65535.5];
  let state = (seed >>> 0) + 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Float64Array.from({ length: size }, () => {
    const kind = next();
    if (kind < 0.1) return special[Math.floor(next() * special.length)] as number;
    if (kind < 0.2) return (next() - 0.5) * 2 ** Math.floor(next() * 70);
    return Math.round((next() - 0.5) * 2400) / 4;
  });
}

/** The nearest integer in the simplest form, within the limits of a dtype. */
function nearest(value: number, to: string): bigint {
  if (Number.isNaN(value)) return 0n;
  const bits = BigInt(8 * dtype(to).itemsize);
  const least = to.startsWith('u') ? 0n : -(2n ** (bits - 1n));
  const most = least + 2n ** bits - 1n;
  if (!Number.isFinite(value)) return value > 0 ? most : least;
  const isTie = Math.abs(value % 1) === 0.5;
  const whole = BigInt(isTie ? 2 * Math.round(value / 2) : Math.round(value));
  if (whole < least) return least;
  return whole > most ? most : whole;
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

function over(data: Uint8Array, type: DType): ArrayDescriptor {
  const shape = [data.length / type.itemsize];
  return fromArrayInterface({ version: 3, shape, typestr: type.typestr, data });
}

/** The bytes of an array in its own byte order. */
async function bytes(
  backend: Backend,
  array: Awaited<ReturnType<Backend['array']>>,
): Promise<Uint8Array> {
  const data = new Uint8Array(array.nbytes);
  await backend.copy(over(data, array.dtype), array);
  return data;
}
