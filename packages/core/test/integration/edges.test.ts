import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contiguousByteStrides } from '../../src/descriptor/strides.js';
import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  field,
  flip,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  slice,
  toSyclUsmArrayInterface,
} from '../../src/index.js';
import { sharesMemory } from '../../src/overlap/index.js';
import { shareBytes } from '../../src/overlap/may-share-memory.js';
import { deserialize, serialize } from '../../src/serialize/index.js';
import { steps, VIEWS } from '../support/chains.js';
import { expectSound, orRefusal } from '../support/promises.js';
import { expectRefusal } from '../support/refusal.js';
import { type Edge, edges, mayBe, READ_EDGE, shapes } from './edges.js';

const isRefusal = (value: unknown) => value instanceof ArrayInterfaceError;

describe.each(Object.entries(READ_EDGE))('at the ends of memory, by %s', (_, read) => {
  it('an array is sound or refused, and so is each view of it', () => {
    let made = 0;
    const property = fc.property(edges, steps, (edge, all) => {
      let array = orRefusal(() => read(edge)) as ArrayDescriptor;
      if (isRefusal(array)) return;
      made++;
      expectSound(array);
      for (const [name, keys] of all) {
        const next = orRefusal(() => VIEWS[name]?.(array, keys)) as ArrayDescriptor;
        if (isRefusal(next)) continue;
        expectSound(next);
        array = next;
      }
    });
    fc.assert(property, random(500));
    expect(made).toBeGreaterThan(0);
  });
});

// What `parts` says of a base, the oracle does not know.
const READERS = Object.entries(READ_EDGE).filter(([protocol]) => protocol !== 'parts');

describe.each(READERS)('an array at the ends of memory, by %s', (protocol, read) => {
  it('refuses what is not allowed, and nothing else', () => {
    const property = fc.property(edges, (edge) => {
      if (edge.mask.kind !== 'none') return;
      const expected = expectedOf(edge, protocol);
      expect(isRefusal(orRefusal(() => read(edge)))).toBe(!expected);
    });
    fc.assert(property, random(500));
  });
});

/** What an oracle says that takes nothing from core but the strides of C order. */
function expectedOf({ pointer, axes, typestr, offset }: Edge, protocol: string): boolean {
  const dtype = protocol === 'dlpack' ? '|u1' : typestr;
  const itemsize = { '|u1': 1, '<i2': 2, '<f8': 8, '<c16': 16, '|S0': 0, '|V3': 3 }[
    dtype
  ] as number;
  if (protocol === 'sycl' && 'SV'.includes(dtype[1] as string)) return false;
  const inElements = protocol === 'sycl' || protocol === 'dlpack';
  const unit = inElements ? itemsize : 1;
  const { shape, strides } = axes;
  if (strides?.some((stride) => !Number.isSafeInteger(stride * unit))) return false;
  const bytes = strides?.map((stride) => stride * unit) ?? contiguousByteStrides(shape, itemsize);
  const moved = { sycl: offset * itemsize, dlpack: Math.abs(offset) }[protocol] ?? 0;
  const start = pointer + BigInt(moved);
  if (inElements && pointer === 0n && !shape.includes(0)) return false;
  return mayBe(start, shape, bytes, itemsize);
}

describe('a mask of bits', () => {
  it('is accepted if the strides that matter are contiguous', () => {
    const property = fc.property(shapes, fc.array(fc.nat({ max: 9 })), (shape, wild) => {
      const strides = contiguousByteStrides(shape, 1).map((stride, axis) =>
        shape[axis] === 1 || shape.includes(0) ? (wild[axis % wild.length] ?? 7) : stride,
      );
      const dict = { version: 3, shape, typestr: '|u1', data: [2n ** 60n, false] };
      const mask = { ...dict, typestr: '|t1', strides };
      const read = () =>
        fromCudaArrayInterface({ ...dict, mask: { __cuda_array_interface__: mask } });
      const array = orRefusal(read) as ArrayDescriptor;
      if (mayBe(2n ** 60n, shape, contiguousByteStrides(shape, 1), 1)) expectSound(array);
      else expect(isRefusal(array)).toBe(true);
    });
    fc.assert(property, random(500));
  });
});

describe('a sub-array', () => {
  it('has the same number of bytes in any order of its lengths', () => {
    const wide = fc.constantFrom(65, 1000, 200_000).map((length) => new Array(length).fill(1));
    const lengths = fc.oneof({ weight: 9, arbitrary: shapes }, { weight: 1, arbitrary: wide });
    const property = fc.property(lengths, fc.constantFrom('|u1', '<f8', '|S0'), (shape, type) => {
      const read = (order: readonly number[]) =>
        orRefusal(() => {
          const bytes = shape.includes(0)
            ? 0
            : shape.reduce((size, n) => size * n, SIZES[type] ?? 0);
          const size = Number.isSafeInteger(bytes) ? bytes : 0;
          const descr = [
            ['y', '|S0'],
            ['x', type, order],
          ];
          const dict = { version: 3, typestr: `|V${size}`, descr, data: [4096, false] };
          return fromCudaArrayInterface({ ...dict, shape: [1] });
        });
      const one = read(shape);
      const other = read(shape.toReversed());
      expect(isRefusal(one)).toBe(isRefusal(other));
      expect(isRefusal(one)).toBe(
        shape.length > 64 ||
          !mayBe(
            4096n,
            shape,
            shape.map(() => 0),
            SIZES[type] as number,
          ),
      );
      if (isRefusal(one)) return;
      expect((one as ArrayDescriptor).dtype.itemsize).toBe((other as ArrayDescriptor).itemsize);
      expectSound(one as ArrayDescriptor);
      const inner = orRefusal(() => field(one as ArrayDescriptor, 'x'));
      if (!isRefusal(inner)) expectSound(inner as ArrayDescriptor);
    });
    fc.assert(property, random(500));
  });
});
const SIZES: Readonly<Record<string, number>> = { '|u1': 1, '<f8': 8, '|S0': 0 };

describe('shareBytes', () => {
  it('equals the exact answer for whole extents', () => {
    const near = fc.integer({ min: -9, max: 9 });
    const far = fc.tuple(fc.constantFrom(0, 2 ** 52, 2 ** 53 - 11), near, fc.constantFrom(1, -1));
    // two arrays of two bytes, so far apart as they may be, or a little less
    const reach = far.map(([most, more, sign]) => sign * (most + more));
    const apart = fc
      .tuple(
        fc.constantFrom(0n, 2n ** 52n, 2n ** 53n, 2n ** 54n),
        fc.bigInt({ min: -12n, max: 12n }),
      )
      .map(([most, more]) => most + more);
    const met = new Set<boolean>();
    const property = fc.property(reach, reach, apart, (one, other, distance) => {
      const read = (pointer: bigint, stride: number) =>
        fromCudaArrayInterface({
          ...{ version: 3, shape: [2], typestr: '|u1', data: [pointer, false], strides: [stride] },
        });
      const [a, b] = [read(2n ** 60n, one), read(2n ** 60n + distance, other)];
      const low = (array: ArrayDescriptor) => array.pointer + BigInt(array.extent[0]);
      const high = (array: ArrayDescriptor) => array.pointer + BigInt(array.extent[1]);
      const meet = low(a) < high(b) && low(b) < high(a);
      met.add(meet);
      expect([shareBytes(a, b), shareBytes(b, a)]).toEqual([meet, meet]);
      if (!meet) expect(sharesMemory(a, b)).toBe(false);
    });
    fc.assert(property, random(10_000));
    expect(met.size).toBe(2);
  });
});

describe('a pointer', () => {
  const sycl = (pointer: bigint, offset: number, changes: object = {}) =>
    fromSyclUsmArrayInterface({
      ...{ version: 1, shape: [0], typestr: '|u1', data: [pointer, false], offset, syclobj: 'cpu' },
      ...changes,
    });

  it('of an array without elements stays at its base if its offset leads nowhere', () => {
    for (const [pointer, offset] of [
      [2n ** 64n - 1n, 1],
      [0n, -1],
      [7n, 1 - 2 ** 53],
    ] as const) {
      const array = sycl(pointer, offset);
      expect(array).toMatchObject({ pointer, base: { pointer, elementOffset: offset } });
      expect(toSyclUsmArrayInterface(array)).toMatchObject({ data: [pointer, false], offset });
      expect(deserialize(serialize(array), { syclobj: 'cpu' })).toEqual(array);
    }
    expect(sycl(64n, 3).pointer).toBe(67n);
    expectRefusal(() => sycl(2n ** 64n - 1n, 1, { shape: [1] }), 'ERR_OVERFLOW', 'offset');
  });

  it('of an element without bytes is an address, too', () => {
    const dict = { version: 3, shape: [1, 2], typestr: '|S0', strides: [2, 1] };
    const read = (pointer: bigint) => fromCudaArrayInterface({ ...dict, data: [pointer, false] });
    expect(slice(read(2n ** 64n - 2n), [0, 1]).pointer).toBe(2n ** 64n - 1n);
    expectRefusal(() => read(2n ** 64n - 1n), 'ERR_OVERFLOW', 'data[0]');
  });
});

describe('an extent', () => {
  const read = (pointer: bigint, typestr: string, stride: number) =>
    fromCudaArrayInterface({
      ...{ version: 3, shape: [2], typestr, data: [pointer, false], strides: [stride] },
    });

  it('can be counted from either end', () => {
    const most = 2 ** 53 - 1;
    expectRefusal(() => read(2n ** 60n, '<i2', -most), 'ERR_OVERFLOW', 'strides');
    const array = read(2n ** 60n, '|u1', 1 - most);
    expect(array.extent).toEqual([1 - most, 1]);
    expect(flip(array).extent).toEqual([0, most]);
  });

  it('excludes the address 0, from which no view could be written', () => {
    expectRefusal(() => read(1n, '|u1', -1), 'ERR_OVERFLOW', 'data[0]');
    expect(flip(read(2n, '|u1', -1)).pointer).toBe(1n);
  });

  it('overlaps another exactly, although a number would round their distance', () => {
    const long = read(2n ** 60n, '|u1', 2 ** 53 - 2);
    const at = (apart: bigint) => read(2n ** 60n + 2n ** 53n + apart, '|u1', -5);
    expect([3n, 4n].map((apart) => shareBytes(long, at(apart)))).toEqual([true, false]);
    expect([3n, 4n].map((apart) => shareBytes(at(apart), long))).toEqual([true, false]);
  });
});
