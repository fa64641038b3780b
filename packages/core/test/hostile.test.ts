import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ArrayDescriptor,
  describe as describeProducer,
  dtype,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  isArrayDescriptor,
  isArrayInterfaceError,
  makeDescriptor,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../src/index.js';
import { expectRefusal } from './refusal.js';

const thrower = (thrown: unknown) => (): never => {
  throw thrown;
};
/** A proxy all of whose traps throw. */
function untouchable(thrown: unknown, target: object = {}): object {
  return new Proxy(target, new Proxy({}, { get: () => thrower(thrown) }));
}
const fault = new Error('gone');
const revoked = Proxy.revocable([], {});
revoked.revoke();
const lying = (length: unknown) =>
  new Proxy([2, 3], { get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)) });

// fast-check looks into what it makes, and some of these no one may touch: it makes their numbers.
const STRANGE: readonly unknown[] = [
  untouchable(fault),
  untouchable(fault, []),
  untouchable(fault, () => 0),
  untouchable(untouchable(undefined)),
  untouchable(null),
  revoked.proxy,
  lying(1e9),
  lying(-1),
  lying(1.5),
  lying('2'),
  lying(2n),
  lying(undefined),
  new Array(2 ** 32 - 1),
  Symbol('s'),
  () => [2, 3],
  new Date(NaN),
  new Map([['shape', [2]]]),
  new Uint8Array(24),
  new ArrayBuffer(24),
  new DataView(new ArrayBuffer(8)),
  Object.create(null),
  { _get_capsule: thrower(undefined) },
  { _get_capsule: () => untouchable(fault) },
  { _get_capsule: () => ({ name: 'SyclQueueRef', pointer: 1 }) },
  { valueOf: thrower(fault), toString: thrower(fault), toJSON: thrower(fault) },
  -0,
  NaN,
  Infinity,
  2 ** 53,
  -(2 ** 53),
  2n ** 64n,
  -(2n ** 63n),
  2n ** 4096n,
  '\u0000\ud800',
  '<f4',
  '|t1',
  '|V8',
];
class Stranger {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}
const strange = fc.nat({ max: STRANGE.length - 1 }).map((index) => new Stranger(index));

/** The value with the strange ones in their places. */
function revive(value: unknown): unknown {
  if (value instanceof Stranger) return STRANGE[value.index];
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revive(part)]));
}
const json = fc.oneof(fc.jsonValue(), strange, fc.bigInt(), fc.integer(), fc.double());
const integers = fc.oneof(fc.nat({ max: 9 }), fc.integer(), fc.maxSafeInteger(), fc.bigInt(), json);
const lists = fc.oneof({ weight: 3, arbitrary: fc.array(integers, { maxLength: 5 }) }, json);
const descrs: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  descr: fc.oneof({ weight: 4, arbitrary: fc.array(tie('entry'), { maxLength: 3 }) }, json),
  entry: fc.oneof(
    fc.tuple(fc.oneof(fc.string(), json), fc.oneof(fc.constant('<f4'), tie('descr'), json)),
    fc.tuple(fc.string(), fc.constant('<i2'), lists),
    json,
  ),
})).descr;

const keys = {
  version: fc.oneof(fc.constantFrom(0, 1, 2, 3), json),
  shape: lists,
  typestr: fc.oneof(fc.constantFrom('<f4', '|u1', '|V4', '|V8', '>i2', '<U3'), fc.string(), json),
  data: fc.oneof(
    fc.tuple(fc.oneof(fc.constant(4096), integers), fc.oneof(fc.boolean(), json)),
    json,
  ),
  strides: fc.oneof(fc.constant(null), lists),
  offset: integers,
  stream: fc.oneof(fc.constant(null), integers),
  descr: descrs,
  mask: fc.oneof(
    json,
    json.map((inner) => ({ __cuda_array_interface__: inner, __array_interface__: inner })),
  ),
  syclobj: json,
  pointer: integers,
  dtype: fc.oneof(fc.constant('|V8'), json),
  byteStrides: lists,
  readOnly: json,
  base: fc.oneof(fc.record({ pointer: integers, elementOffset: integers }), json),
  buffer: json,
};
const RIGHT = {
  shape: [2, 3],
  typestr: '<f4',
  data: [4096, false],
  syclobj: 'cpu',
  pointer: 4096n,
  dtype: '<f4',
};

/** Dicts, and parts of descriptors, that are right but for one to three keys, which may be anything. */
const dicts = fc
  .tuple(
    fc.constantFrom(1, 3),
    fc.subarray(Object.keys(keys), { minLength: 1, maxLength: 3 }),
    fc.record(keys),
  )
  .map(([version, wrong, values]) => ({
    version,
    ...RIGHT,
    ...Object.fromEntries(Object.entries(values).filter(([key]) => wrong.includes(key))),
  }));

/** What `read` makes of a value: a descriptor that holds what it promises, or an error of ours. */
function readsOrRefuses(read: () => unknown): void {
  let found: unknown;
  try {
    found = read();
  } catch (error) {
    if (!isArrayInterfaceError(error)) throw error;
    expect(error.message).toMatch(/^expected /);
    expect(error.message.length).toBeLessThan(2000);
    return;
  }
  if (!(found instanceof ArrayDescriptor)) return;
  const { shape, byteStrides, pointer, extent, size, nbytes } = found;
  for (const count of [...shape, ...byteStrides, ...extent, size, nbytes]) {
    expect(Number.isSafeInteger(count)).toBe(true);
    expect(Object.is(count, -0)).toBe(false);
  }
  expect(byteStrides).toHaveLength(shape.length);
  expect(pointer >= 0n && pointer + BigInt(extent[1]) <= 2n ** 64n).toBe(true);
  expect(Object.isFrozen(found) && Object.isFrozen(shape) && Object.isFrozen(byteStrides)).toBe(
    true,
  );
}

const READERS = {
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  fromArrayInterface,
  makeDescriptor: makeDescriptor as (value: unknown) => unknown,
  dtype: dtype as (value: unknown) => unknown,
  describe: (value: unknown) => describeProducer(value),
  'describe of CAI': (value: unknown) => describeProducer({ __cuda_array_interface__: value }),
  'describe of SUAI': (value: unknown) =>
    describeProducer({ __sycl_usm_array_interface__: value }, { readOnly: false }),
  "describe of NumPy's": (value: unknown) => describeProducer({ __array_interface__: value }),
  toCudaArrayInterface: toCudaArrayInterface as (value: unknown) => unknown,
  toSyclUsmArrayInterface: toSyclUsmArrayInterface as (value: unknown) => unknown,
  toArrayInterface: toArrayInterface as (value: unknown) => unknown,
};

describe.each(Object.entries(READERS))('%s', (_name, read) => {
  it('throws nothing but errors of ours, for anything', () => {
    fc.assert(
      fc.property(json, (value) => readsOrRefuses(() => read(revive(value)))),
      random(300),
    );
  });

  it('throws nothing but errors of ours, for dicts that are nearly right', () => {
    fc.assert(
      fc.property(dicts, fc.constantFrom(0, 1, 2), (made, how) => {
        const dict = revive(made) as object;
        const value = how === 0 ? dict : how === 1 ? getters(dict) : new Proxy(dict, {});
        readsOrRefuses(() => read(value));
      }),
      random(500),
    );
  });
});

/** The same, by getters of an object without prototype; what they would return twice changes. */
function getters(dict: object): object {
  const object = Object.create(null);
  for (const [key, value] of Object.entries(dict)) {
    let reads = 0;
    Object.defineProperty(object, key, { get: () => (reads++ === 0 ? value : thrower(fault)()) });
  }
  return object;
}

describe('lists that are too long', () => {
  const dict = { version: 3, shape: [2], typestr: '|V8', data: [4096, false] };
  it.each([
    [{ shape: new Array(2 ** 32 - 1) }, 'ERR_TYPE', 'shape'],
    [{ shape: new Array(1000).fill(1) }, 'ERR_RANK_MISMATCH', 'shape'],
    [{ strides: lying(2 ** 30) }, 'ERR_TYPE', 'strides'],
    [{ data: new Array(2 ** 31) }, 'ERR_TYPE', 'data'],
    [{ descr: new Array(2 ** 31) }, 'ERR_TYPE', 'descr'],
    [{ descr: new Array(2 ** 17).fill(['a', '|V8']) }, 'ERR_DESCR', 'descr'],
    [{ descr: [['a', '|V8', new Array(2 ** 31)]] }, 'ERR_TYPE', 'descr[0][2]'],
  ] as const)('%# are refused before they are read', (changes, code, path) => {
    expectRefusal(() => fromCudaArrayInterface({ ...dict, ...changes }), code, path);
  });

  it('also when a list stands in itself many times over', () => {
    let descr: unknown[] = [['x', '|V1']];
    for (let depth = 0; depth < 31; depth++) {
      descr = [
        ['a', descr],
        ['b', descr],
      ];
    }
    expectRefusal(() => fromCudaArrayInterface({ ...dict, descr }), 'ERR_DESCR');
  });

  it('and records in records', () => {
    const descr: unknown[] = [];
    descr.push(['a', descr]);
    expectRefusal(() => fromCudaArrayInterface({ ...dict, descr }), 'ERR_DESCR');
  });
});

describe('descr', () => {
  it('is read once, entries and names too', () => {
    const once = (list: readonly unknown[]): unknown => {
      const seen = new Set<PropertyKey>();
      return new Proxy(list, {
        get(target, key) {
          if (seen.has(key)) throw new Error(`read ${String(key)} twice`);
          seen.add(key);
          const value = Reflect.get(target, key);
          return Array.isArray(value) ? once(value) : value;
        },
      });
    };
    const dict = { version: 3, shape: [2], typestr: '|V8', data: [4096, false] };
    for (const descr of [
      [['', '|V8']],
      [[['a title', 'a'], '<f4', [2]]],
      [
        ['p', [['x', '<f4']]],
        ['', '|V4'],
      ],
    ]) {
      const array = fromCudaArrayInterface({ ...dict, descr: once(descr) });
      expect(array.dtype).toEqual(fromCudaArrayInterface({ ...dict, descr }).dtype);
    }
  });
});

describe('a record of nothing but padding', () => {
  it('is opaque', () => {
    const descr = [
      ['', '|V4'],
      ['', '|V4'],
    ];
    const dict = { version: 3, shape: [2], typestr: '|V8', data: [4096, false], descr };
    expect(fromCudaArrayInterface(dict).dtype).toEqual(dtype('|V8'));
  });
});

describe('a capsule', () => {
  it.each([
    { name: 3, pointer: 1n },
    { name: 'SyclQueueRef', pointer: 1 },
    ['SyclQueueRef', 1n],
    null,
  ])('is no %o', (syclobj) => {
    const dict = { version: 1, shape: [2], typestr: '<f4', data: [4096, false], syclobj };
    expectRefusal(() => fromSyclUsmArrayInterface(dict), 'ERR_TYPE', 'syclobj');
  });
});

describe('what never throws', () => {
  it('to look whether a proxy is ours', () => {
    for (const value of [untouchable(fault), untouchable(fault, []), revoked.proxy]) {
      expect(isArrayDescriptor(value)).toBe(false);
      expect(isArrayInterfaceError(value)).toBe(false);
      expect(isArrayInterfaceError(value, 'ERR_TYPE')).toBe(false);
    }
  });
});

describe('rank', () => {
  it.each([0, 1, 2, 31, 32, 33, 63, 64])('%d is read and written', (rank) => {
    const shape = new Array(rank).fill(1).fill(3, 0, 4);
    const array = fromCudaArrayInterface({
      version: 3,
      shape,
      typestr: '<f8',
      data: [2n ** 63n, false],
      stream: 2n ** 64n - 1n,
    });
    expect(array).toMatchObject({ ndim: rank, pointer: 2n ** 63n, stream: 2n ** 64n - 1n });
    expect(fromCudaArrayInterface(toCudaArrayInterface(array))).toEqual(array);
  });
});
