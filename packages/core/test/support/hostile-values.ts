import fc from 'fast-check';
import { ArrayInterfaceError } from '../../src/index.js';

/** Throws this when it is called. */
export const thrower = (thrown: unknown) => (): never => {
  throw thrown;
};
/** A proxy all of whose traps throw. */
export function untouchable(thrown: unknown, target: object = {}): object {
  return new Proxy(target, new Proxy({}, { get: () => thrower(thrown) }));
}
export const fault = new Error('gone');
export const revoked = Proxy.revocable([], {});
revoked.revoke();
export const lying = (length: unknown) =>
  new Proxy([2, 3], { get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)) });
/** A list that throws `thrown` when this part of it is read. */
const failingAt = (part: string, thrown: unknown) =>
  new Proxy([2, 3], {
    get: (list, key) => (key === part ? thrower(thrown)() : Reflect.get(list, key)),
  });

/** An ArrayInterfaceError that a producer throws as if it were its own, and a forged one. */
const stolen = new ArrayInterfaceError('ERR_OUT_OF_MEMORY', 'x', 'expected more, got less');
const FORGED = { [Symbol.for('array-interface.error')]: true };

/** Counts what is read of the lists below, which are longer than any that means something. */
const greed = { reads: 0 };
const MOST_READS = 2 ** 17;

/** Forgets what was read. */
export function forgetReads(): void {
  greed.reads = 0;
}

/** Whether more was read than any list that means something has. */
export const wasGreedy = (): boolean => greed.reads > MOST_READS;

function count<T>(value: T, weight = 1): T {
  greed.reads += weight;
  if (greed.reads > 2 * MOST_READS) throw new Error('read all of it'); // or the test would hang
  return value;
}

/** Entries of a list that are read at most: more than `explain` shows. It may show several lists. */
const MOST_ENTRIES = 32;
/** How often entries of such lists are read at most, all together. */
const MOST_SHOWN = 1024;

/** A list longer than any that means something, of which only the first entries are to be read. */
const bottomless = (entry: unknown) =>
  new Proxy(new Array(2 ** 20), {
    get: (list, key) =>
      typeof key === 'string' && /^\d+$/.test(key)
        ? count(entry, Number(key) < MOST_ENTRIES ? MOST_READS / MOST_SHOWN : MOST_READS + 1)
        : Reflect.get(list, key),
  });
export const BOTTOMLESS: readonly unknown[] = [1, 0, 'x', ['x', '|V1']].map(bottomless);

/** Fields that never end, one after another or one inside another. */
const endless = {
  typestr: '|V8',
  fields: {
    *[Symbol.iterator]() {
      for (;;) yield count({ name: 'x', title: null, offset: 0, itemsize: 0, shape: [] });
    },
  },
};
function doubled(depth: number): object {
  if (depth === 0) return { typestr: '|V1', fields: null };
  const inner = doubled(depth - 1);
  const field = (name: string) => ({
    ...{ name, title: null, offset: 0, itemsize: 1, shape: [] },
    get dtype() {
      return count(inner);
    },
  });
  return { typestr: '|V2', fields: [field('a'), field('b')] };
}

/** What must not come out of an error as it went in. */
const SPOKEN = [
  Symbol(`\u001b[31mred\n${'x'.repeat(5000)}`),
  '\u001b[31m\u009b31m\u0085',
  '\u200e\u200f\u061c\u202e\u2066\ufeff\u{e0041}\u2028',
  'x'.repeat(5000),
  '\u0001'.repeat(5000),
];

// fast-check inspects what it generates, and some of these throw if touched: it generates indices.
export const STRANGE: readonly unknown[] = [
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
  { _get_capsule: thrower(revoked.proxy) },
  new Proxy({}, { has: () => true, get: thrower(fault) }),
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
  ...SPOKEN,
  ...BOTTOMLESS,
  ...BOTTOMLESS.map((list) => [['x', '|V8', list]]),
  [BOTTOMLESS[2]],
  [[BOTTOMLESS[2], '|V8']],
  untouchable(stolen),
  untouchable(FORGED),
  untouchable(stolen, []),
  FORGED,
  failingAt('length', fault),
  failingAt('length', FORGED),
  failingAt('0', stolen),
  { name: 'SyclQueueRef', pointer: -5n },
  { name: 'SyclContextRef', pointer: 2n ** 64n },
  Object.defineProperty({ pointer: 1n }, 'name', { get: thrower(stolen) }),
  { _get_capsule: thrower(FORGED) },
  ['cuda'],
  { toString: () => 'cuda' },
  endless,
  doubled(30),
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
export const strange = fc.nat({ max: STRANGE.length - 1 }).map((index) => new Stranger(index));

/** The value with the strange ones in their places. */
export function revive(value: unknown): unknown {
  if (value instanceof Stranger) return STRANGE[value.index];
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revive(part)]));
}
/** Anything that JSON has, and everything strange; to be revived. */
export const json = fc.oneof(fc.jsonValue(), strange, fc.bigInt(), fc.integer(), fc.double());
const integers = fc.oneof(fc.nat({ max: 9 }), fc.integer(), fc.maxSafeInteger(), fc.bigInt(), json);
/** Lists of numbers, or what is none. */
export const lists = fc.oneof({ weight: 3, arbitrary: fc.array(integers, { maxLength: 5 }) }, json);
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
export const dicts = fc
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
