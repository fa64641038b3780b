import type { ArrayDescriptor, Backend, DTypeName } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { evaluate, evaluateSync } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { elementsOf, of } from './support/elements.js';

// A cast in an expression is what a copy makes of the same elements: rounded once, or cut off and clamped.

const INTEGERS = [
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
] as const;
const FLOATS = ['float16', 'float32', 'float64'] as const;
const TYPES: readonly DTypeName[] = ['bool', ...INTEGERS, ...FLOATS];
/** Digits of the floats, and one less, where ties are. */
const DIGITS = [10, 11, 23, 24, 52, 53];

/** Integers around each power of two, and around each tie between two floats there. */
function integers(type: (typeof INTEGERS)[number]): bigint[] {
  const bits = Number(/\d+/.exec(type)?.[0]);
  const found = new Set<bigint>([0n]);
  for (let exponent = 0; exponent <= bits; exponent++) {
    for (const digits of DIGITS) {
      const unit = exponent > digits ? 1n << BigInt(exponent - digits) : 0n;
      for (const times of [0n, 1n, 3n]) {
        for (const beside of [-1n, 0n, 1n]) {
          const value = (1n << BigInt(exponent)) + times * unit + beside;
          found.add(value).add(-value);
        }
      }
    }
  }
  const wrap = type.startsWith('u') ? BigInt.asUintN : BigInt.asIntN;
  return [...found].filter((value) => wrap(bits, value) === value);
}

type Element = number | bigint;

const WORD = new DataView(new ArrayBuffer(8));

/** The next doubles below and above. */
function beside(value: number): number[] {
  WORD.setFloat64(0, value);
  const bits = WORD.getBigUint64(0);
  return [bits - 1n, bits, bits + 1n].map((one) => {
    WORD.setBigUint64(0, BigInt.asUintN(64, one));
    return WORD.getFloat64(0);
  });
}

/** Doubles around powers of two and ties of narrower floats, around those of integers, and special ones. */
function doubles(): number[] {
  const found: number[] = [];
  for (const exponent of [
    -1074, -150, -149, -126, -25, -24, -14, -1, 0, 1, 7, 8, 10, 15, 16, 24, 31, 32, 53, 63, 64, 127,
    128,
  ]) {
    // biome-ignore format: in a row
    for (const digits of DIGITS) {
      for (const times of [0, 1, 3]) {
        const value = 2 ** exponent * (1 + times * 2 ** -digits);
        found.push(...beside(value), ...[-0.5, 0.5].map((more) => value + more));
      }
    }
  }
  const special = [0, Number.POSITIVE_INFINITY, Number.NaN, 65519.999, 65520];
  return [...new Set([...found, ...special].flatMap((value) => [value, -value]))];
}

/** Not NaN, or NaN without sign and payload, as which expressions store all. */
const isPlainHalf = (bits: number) => (bits & 0x7fff) <= 0x7c00 || bits === 0x7e00;

function valuesOf(type: DTypeName): ArrayDescriptor {
  if (type === 'bool') return of('bool', 0, 1);
  if (type === 'float16') return of('float16', ...[...Array(2 ** 16).keys()].filter(isPlainHalf));
  if (type.startsWith('float')) return of(type, ...doubles());
  const values = integers(type as (typeof INTEGERS)[number]);
  return of(type, ...(type.endsWith('64') ? values : values.map(Number)));
}

/** The elements that differ, each with what it was made from. */
function differences(x: ArrayDescriptor, made: ArrayDescriptor, expected: ArrayDescriptor) {
  const [from, got, wanted] = [x, made, expected].map(elementsOf) as [
    Element[],
    Element[],
    Element[],
  ];
  return from.flatMap((value, i) =>
    Object.is(got[i], wanted[i]) ? [] : [`${value}: got ${got[i]}, expected ${wanted[i]}`],
  );
}

/** An array of the same shape in JavaScript memory, with elements of another type. */
async function copied(from: ArrayDescriptor, to: DTypeName): Promise<ArrayDescriptor> {
  const made = of(to, ...Array(from.shape[0] as number).fill(to.endsWith('int64') ? 0n : 0));
  await host.copy(made, from, { casting: 'unsafe' });
  return made;
}

async function computed(backend: Backend, text: string, x: ArrayDescriptor, to: DTypeName) {
  using there = await backend.array(x);
  using made = await evaluate(backend, text, { x: there });
  const back = of(to, ...Array(x.shape[0] as number).fill(to.endsWith('int64') ? 0n : 0));
  await backend.copy(back, made);
  return back;
}

const PLACES: readonly (readonly [string, Backend | null])[] = [
  ['JavaScript memory', null],
  ['the host', host],
  ['SYCL', sycl],
  ['the simulator', cuda],
];

for (const [place, backend] of PLACES) {
  test.each(TYPES)(`a cast of %s in ${place} is what a copy makes`, async (from) => {
    const x = valuesOf(from);
    for (const to of TYPES) {
      if (to === from) continue;
      const text = `${to}(x)`;
      const made =
        backend === null ? evaluateSync(text, { x }) : await computed(backend, text, x, to);
      expect(made.dtype.name).toBe(to);
      expect(differences(x, made, await copied(x, to)), text).toEqual([]);
    }
  });
}
