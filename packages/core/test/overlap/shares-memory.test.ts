import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArrayDescriptor,
  flip,
  fromCudaArrayInterface,
  makeDescriptor,
  slice,
} from '../../src/index.js';
import { mayShareMemory, overlapsItself, sharesMemory } from '../../src/overlap/index.js';
import { addresses } from '../support/elements.js';
import { expectRefusal } from '../support/refusal.js';

const ITEMS = { '|V0': 0, '|u1': 1, '<i2': 2, '|S3': 3, '<f4': 4 };

const layouts = fc
  .record({
    pointer: fc.integer({ min: 0, max: 120 }),
    axes: fc.array(fc.tuple(fc.nat({ max: 4 }), fc.integer({ min: -24, max: 24 })), {
      maxLength: 4,
    }),
    dtype: fc.constantFrom(...(Object.keys(ITEMS) as (keyof typeof ITEMS)[])),
  })
  .map(({ pointer, axes, dtype }) =>
    makeDescriptor({
      pointer: 10_000n + BigInt(pointer),
      shape: axes.map(([length]) => length),
      byteStrides: axes.map(([, stride]) => stride),
      dtype,
    }),
  );

function bytes(array: ArrayDescriptor): Set<bigint> {
  const item = Array.from({ length: array.itemsize }, (_, byte) => BigInt(byte));
  return new Set(addresses(array).flatMap((at) => item.map((byte) => at + byte)));
}

const meet = (a: Set<bigint>, b: Set<bigint>) => [...a].some((byte) => b.has(byte));

/** The same layout in units of `factor` bytes, elsewhere. */
function scaled(array: ArrayDescriptor, factor: number): ArrayDescriptor {
  return makeDescriptor({
    pointer: 2n ** 63n + (array.pointer - 10_000n) * BigInt(factor),
    shape: array.shape,
    byteStrides: array.byteStrides.map((stride) => stride * factor),
    dtype: '|u1',
  });
}

describe('sharesMemory', () => {
  it('equals listing every byte, and mayShareMemory is true whenever it is', () => {
    let shared = 0;
    let apart = 0;
    fc.assert(
      fc.property(layouts, layouts, (a, b) => {
        const expected = meet(bytes(a), bytes(b));
        expect(sharesMemory(a, b)).toBe(expected);
        expect(sharesMemory(b, a)).toBe(expected);
        if (expected) expect(mayShareMemory(a, b)).toBe(true);
        else if (mayShareMemory(a, b)) apart++;
        if (expected) shared++;
      }),
      random(3000),
    );
    expect(Math.min(shared, apart)).toBeGreaterThan(0);
  });

  it('is exact past 2^53', () => {
    fc.assert(
      fc.property(layouts, layouts, fc.integer({ min: 2, max: 2 ** 44 }), (a, b, factor) => {
        const small = [a, b].map((array) => new Set(addresses(array))) as [
          Set<bigint>,
          Set<bigint>,
        ];
        expect(sharesMemory(scaled(a, factor), scaled(b, factor))).toBe(meet(...small));
      }),
      random(1000),
    );
  });

  it('tells interleaved arrays apart, in either direction', () => {
    const image = makeDescriptor({ pointer: 4096n, shape: [1080, 1920, 4], dtype: 'uint8' });
    const channel = (index: number) => slice(image, [null, null, index]);
    const [red, green] = [channel(0), channel(1)];
    expect(mayShareMemory(red, green)).toBe(true);
    expect(sharesMemory(red, green, { maxWork: 0 })).toBe(false);
    expect(sharesMemory(red, flip(image), { maxWork: 0 })).toBe(true);
    expect(sharesMemory(slice(red, [[0, null, 2]]), slice(red, [[1, null, 2]]))).toBe(false);
    const [top, bottom] = [slice(image, [[0, 500]]), slice(image, [[500, 1080]])];
    expect([mayShareMemory(top, bottom), mayShareMemory(bottom, top)]).toEqual([false, false]);
  });

  it('knows the memory by its buffer', () => {
    const at = (buffer: ArrayBuffer | SharedArrayBuffer | null, pointer = 8) =>
      makeDescriptor({ pointer, shape: [4], dtype: 'float32', buffer });
    const [one, other] = [new ArrayBuffer(64), new ArrayBuffer(64)];
    expect(sharesMemory(at(one), at(one, 20))).toBe(true);
    expect(sharesMemory(at(one), at(one, 24))).toBe(false);
    for (const say of [mayShareMemory, sharesMemory]) expect(say(at(one), at(other))).toBe(false);
    const shared = new SharedArrayBuffer(64);
    const unknown = [
      [at(one), at(null)],
      [at(null), at(shared)],
      [at(shared), at(structuredClone(shared))],
    ] as const;
    for (const pair of unknown) {
      expect(mayShareMemory(...pair)).toBe(true);
      expectRefusal(() => sharesMemory(...pair), 'ERR_POINTER_UNKNOWN', 'b');
    }
    expect(sharesMemory(at(shared), at(shared, 20))).toBe(true);
    expect(sharesMemory(at(one), at(shared))).toBe(false);
  });

  it('counts the bytes of bit fields', () => {
    const bits = (pointer: bigint, count: number) => {
      const dict = { version: 3, shape: [count], typestr: '|t1', data: [pointer, false] };
      const array = { version: 3, shape: [count], typestr: '|u1', data: [64n, false] };
      const masked = { ...array, mask: { __cuda_array_interface__: dict } };
      return fromCudaArrayInterface(masked).mask as ArrayDescriptor;
    };
    const array = makeDescriptor({ pointer: 4098n, shape: [4], dtype: 'uint8' });
    expect(sharesMemory(bits(4096n, 16), array)).toBe(false);
    expect(sharesMemory(bits(4096n, 17), array)).toBe(true);
    expect(overlapsItself(bits(4096n, 17))).toBe(false);
  });

  it('refuses an endless search', () => {
    // subsets of large numbers: among 2^30 sums, hardly one is any given number
    const strides = Array.from(
      { length: 30 },
      (_, i) => 2 ** 40 + ((i * 7_368_787) % 1_000_003) ** 2,
    );
    const a = makeDescriptor({
      pointer: 4096n,
      shape: strides.map(() => 2),
      byteStrides: strides,
      dtype: 'uint8',
    });
    const b = makeDescriptor({ pointer: 4096n + 15n * 2n ** 40n, shape: [1], dtype: 'uint8' });
    expect(mayShareMemory(a, b)).toBe(true);
    expectRefusal(() => sharesMemory(a, b, { maxWork: 1000 }), 'ERR_TOO_HARD', 'maxWork');
    expectRefusal(() => overlapsItself(a, { maxWork: 1000 }), 'ERR_TOO_HARD', 'maxWork');
  });

  it.each([-1, Number.NaN, '5', null, 5n])('refuses %s for maxWork', (maxWork) => {
    const array = makeDescriptor({ pointer: 4096n, shape: [4], dtype: 'uint8' });
    const options = { maxWork: maxWork as never };
    expectRefusal(() => sharesMemory(array, array, options), 'ERR_ARGUMENT', 'maxWork');
    expectRefusal(() => overlapsItself(array, options), 'ERR_ARGUMENT', 'maxWork');
  });

  it('takes descriptors only', () => {
    const array = makeDescriptor({ pointer: 4096n, shape: [4], dtype: 'uint8' });
    expectRefusal(() => sharesMemory(array, {} as never), 'ERR_TYPE', 'b');
    expectRefusal(() => mayShareMemory(null as never, array), 'ERR_TYPE', 'a');
    expectRefusal(() => overlapsItself([] as never), 'ERR_TYPE', 'array');
  });
});

it('is exact if the sum of two itemsizes exceeds a number, in either order', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const of = (pointer: bigint, itemsize: number) =>
    makeDescriptor({ pointer, shape: [], dtype: `|V${itemsize}` });
  const [low, high] = [of(4096n, most), of(4095n + BigInt(most), most - 1)];
  expect([sharesMemory(low, high), sharesMemory(high, low)]).toEqual([true, true]);
  const apart = of(4096n + BigInt(most), most - 1);
  expect([sharesMemory(low, apart), sharesMemory(apart, low)]).toEqual([false, false]);
});
