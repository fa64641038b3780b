import type { Kernel } from '@array-interface/core/kernel';
import { randomSeed, runs } from '@array-interface/random';
import { describe, expect, test } from 'vitest';
import { backends, hasClang, Workshop } from './built.js';
import { type Defined, defined, type Lanes } from './opencl-c.js';

// Every function that the README promises for CUDA gives what SYCL's runtime gives, bit for bit, or
// what OpenCL C defines where the runtime is wrong.
// Skipped without the compilers, which `npm test` reports.

const COUNT = 128;

/** A small generator, so that a seed repeats a run: xorshift. */
function bits(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Bytes whose floats are of every kind: any bits, small integers, halves, and the special ones. */
function floats(type: 'float' | 'double', length: number, next: () => number): ArrayBufferView {
  const special = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, Infinity, -Infinity, NaN, 255.5, -128.5];
  const values = Array.from({ length }, () => {
    const choice = next() % 4;
    if (choice === 0) return special[next() % special.length] as number;
    if (choice === 1) return ((next() % 4001) - 2000) / 4;
    if (choice === 2) return (next() - 2 ** 31) * 2 ** ((next() % 64) - 32);
    const wide = new DataView(new ArrayBuffer(8));
    wide.setUint32(0, next());
    wide.setUint32(4, next());
    return type === 'float' ? wide.getFloat32(0) : wide.getFloat64(0);
  });
  return type === 'float' ? Float32Array.from(values) : Float64Array.from(values);
}

function integers(bytes: number, length: number, next: () => number): ArrayBufferView {
  const made = new Uint8Array(length * bytes);
  for (let i = 0; i < length; i++) {
    const kind = next() % 4;
    for (let byte = 0; byte < bytes; byte++) {
      const filled = kind === 0 ? 0 : kind === 1 ? 0xff : next() & 0xff;
      made[i * bytes + byte] = byte === 0 || byte === bytes - 1 ? next() & 0xff : filled;
    }
  }
  return made;
}

const U: Readonly<Record<string, string>> = {
  char: 'uchar',
  short: 'ushort',
  int: 'uint',
  long: 'ulong',
};
const unsigned = (type: string) => U[type] ?? type;
const SIGNED = ['char', 'short', 'int', 'long'] as const;
const INTEGERS = [...SIGNED, ...SIGNED.map(unsigned)];
const BYTES: Readonly<Record<string, number>> = {
  char: 1, uchar: 1, short: 2, ushort: 2, int: 4, uint: 4, long: 8, ulong: 8, float: 4, double: 8,
}; // biome-ignore format: a table
const NAMES: Readonly<Record<string, string>> = {
  char: 'int8', uchar: 'uint8', short: 'int16', ushort: 'uint16', int: 'int32', uint: 'uint32', long: 'int64', ulong: 'uint64', float: 'float32', double: 'float64',
}; // biome-ignore format: a table

/** Functions whose zero may have either sign. */
const ANY_ZERO = /fmin|fmax|maxmag|minmag|fract/;

interface Expression {
  /** The type of a, b and c. */
  readonly from: string;
  /** The type of the result. */
  readonly to: string;
  readonly text: string;
}

const scalarOf = (type: string) => type.replace(/\d+$/, '');
const lanesOf = (type: string) => Number(/\d+$/.exec(type)?.[0] ?? 1);
const roomOf = (type: string) => (lanesOf(type) === 3 ? 4 : lanesOf(type));
const vector = (type: string, lanes: number) => (lanes === 1 ? type : `${type}${lanes}`);

/** Expressions with the same types, which one kernel computes. */
function grouped(expressions: readonly Expression[]): Expression[][] {
  const groups = new Map<string, Expression[]>();
  for (const one of expressions) {
    const key = `${one.from} ${one.to}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

const sourceOf = (groups: readonly (readonly Expression[])[]) =>
  '#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n' +
  groups
    .map(([first, ...others], i) => {
      const { from, to } = first as Expression;
      const lines = [first as Expression, ...others].map(
        ({ text }, row) =>
          `  { ${from} a = x[i], b = x[n + i], c = x[2 * n + i]; out[${row} * n + i] = ${text}; }\n`,
      );
      return `kernel void k${i}(global const ${from} *x, global ${to} *out, uint n) {
  size_t i = get_global_id(0);
  if (i >= n) return;
${lines.join('')}}
`;
    })
    .join('');

/** What differs between the two backends. */
async function differences(expressions: readonly Expression[], seed: number): Promise<string[]> {
  using workshop = new Workshop();
  const { cuda, sycl } = await backends();
  const groups = grouped(expressions);
  const kernels = await workshop.kernels(sourceOf(groups));
  const next = bits(seed);
  const wrong: string[] = [];
  for (const [index, group] of groups.entries()) {
    const { from, to } = group[0] as Expression;
    const [type, made] = [scalarOf(from), scalarOf(to)];
    const length = 3 * COUNT * roomOf(from);
    const view =
      type === 'float' || type === 'double'
        ? floats(type, length, next)
        : integers(BYTES[type] as number, length, next);
    const given = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const room = group.length * COUNT * roomOf(to) * (BYTES[made] as number);
    const results: Uint8Array[] = [];
    for (const backend of [cuda, sycl]) {
      using x = await backend.array(asType(given, NAMES[type] as string), {
        dtype: NAMES[type] as 'int8',
      });
      using out = await backend.array(asType(new Uint8Array(room), NAMES[made] as string), {
        dtype: NAMES[made] as 'int8',
      });
      await backend.launch(
        kernels[`k${index}`] as Kernel,
        { range: [COUNT] },
        { x, out, n: COUNT },
      );
      const read = await backend.toTypedArray(out);
      results.push(new Uint8Array(read.buffer, read.byteOffset, read.byteLength));
    }
    const [one, other] = results as [Uint8Array, Uint8Array];
    const each = room / group.length;
    for (const [row, { text }] of group.entries()) {
      const part = (bytes: Uint8Array) => bytes.subarray(row * each, (row + 1) * each);
      const define = defined(text, from, to);
      const expected = define === null ? part(other) : definedBytes(define, from, to, given);
      const isAnyZero = ANY_ZERO.test(text);
      const difference = firstDifference(part(one), expected, made, lanesOf(to), isAnyZero);
      if (difference !== null) wrong.push(`${from} to ${to}: ${text}: ${difference}`);
    }
  }
  return wrong;
}

/** The results of a function as OpenCL C defines it, where the runtime's are wrong. */
function definedBytes(define: Defined, from: string, to: string, given: Uint8Array): Uint8Array {
  const numbers = asType(given, NAMES[scalarOf(from)] as string) as Lanes;
  const room = roomOf(from);
  const lanes = (item: number) => numbers.slice(item * room, (item + 1) * room);
  const results = Array.from({ length: COUNT }, (_, i) => {
    const [a, b, c] = [lanes(i), lanes(COUNT + i), lanes(2 * COUNT + i)];
    return Array.from({ length: room }, (_, lane) => define(lane, a, b, c));
  }).flat();
  return littleEndian(results, BYTES[scalarOf(to)] as number);
}

function littleEndian(numbers: readonly bigint[], size: number): Uint8Array {
  return Uint8Array.from({ length: numbers.length * size }, (_, at) =>
    Number(((numbers[Math.floor(at / size)] as bigint) >> BigInt(8 * (at % size))) & 0xffn),
  );
}

function asType(bytes: Uint8Array, name: string): never {
  const types = {
    int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
  }; // biome-ignore format: a table
  const Type = types[name as 'int8'];
  const { buffer } = new Uint8Array(bytes);
  return new Type(buffer) as never;
}

/** The first element that differs. All NaN are equal, and so are the fourth lanes of vectors of three. */
function firstDifference(
  one: Uint8Array,
  other: Uint8Array,
  type: string,
  lanes: number,
  anyZero: boolean,
): string | null {
  const [a, b] = [one, other].map(
    (bytes) => asType(bytes, NAMES[type] as string) as unknown as ArrayLike<number>,
  );
  for (let i = 0; i < (a?.length ?? 0); i++) {
    if (lanes === 3 && i % 4 === 3) continue;
    if (anyZero && a?.[i] === 0 && b?.[i] === 0) continue;
    if (!Object.is(a?.[i], b?.[i])) return `element ${i}: ${a?.[i]} on CUDA, not ${b?.[i]}`;
  }
  return null;
}

function floatExpressions(type: 'float' | 'double', lanes: number): Expression[] {
  const from = vector(type, lanes);
  const ints = vector(type === 'float' ? 'int' : 'long', lanes);
  const one = lanes === 1 ? 'a' : 'a.x';
  const same = [
    ...['fabs', 'sqrt', 'floor', 'ceil', 'trunc', 'rint', 'round', 'sign'].map((f) => `${f}(a)`),
    ...['fmin', 'fmax', 'copysign', 'fdim', 'fmod', 'remainder', 'nextafter', 'maxmag', 'minmag'].map((f) => `${f}(a, b)`),
    ...['fma'].map((f) => `${f}(a, b, c)`),
    'ldexp(a, 3)', 'ldexp(a, -140)', 'ldexp(a, 1100)', 'select(a, b, as_SEL(c))', 'bitselect(a, b, c)',
    'modf(a, &b)', 'fract(a, &b) + 1', '({ FROM w; modf(a, &w); w; })', '({ FROM w; fract(a, &w); w; })',
  ]; // biome-ignore format: a table
  const tests = [
    ...['isnan', 'isinf', 'isfinite', 'isnormal', 'signbit'].map((f) => `${f}(a)`),
    ...['isequal', 'isnotequal', 'isgreater', 'isgreaterequal', 'isless', 'islessequal', 'islessgreater', 'isordered', 'isunordered'].map((f) => `${f}(a, b)`),
  ]; // biome-ignore format: a table
  const filled = (text: string) => text.replaceAll('FROM', from).replaceAll('SEL', ints);
  const exponent = `({ ${vector('int', lanes)} e; frexp(a, &e); e; })`;
  const whole = `({ ${vector('int', lanes)} e; frexp(a, &e); })`;
  const scalar = lanes === 1 ? [] : [`fmin(a, ${one})`, `fmax(a, ${one})`];
  return [
    ...[...same, whole, ...scalar].map((text) => ({ from, to: from, text: filled(text) })),
    ...tests.map((text) => ({ from, to: lanes === 1 ? 'int' : ints, text })),
    // what it is for infinity and NaN, OpenCL leaves open
    ...(lanes === 1 ? [{ from, to: 'int', text: `isfinite(a) ? ${exponent} : 0` }] : []),
  ];
}

function integerExpressions(type: string, lanes: number): Expression[] {
  const from = vector(type, lanes);
  const mask = vector(unsigned(type), lanes);
  const same = [
    ...['clz', 'popcount'].map((f) => `${f}(a)`),
    ...['min', 'max', 'add_sat', 'sub_sat', 'hadd', 'rhadd', 'mul_hi', 'rotate'].map((f) => `${f}(a, b)`),
    ...['mad_hi', 'mad_sat', 'bitselect'].map((f) => `${f}(a, b, c)`),
    'clamp(a, min(b, c), max(b, c))', `select(a, b, as_${mask}(c))`,
  ]; // biome-ignore format: a table
  const absolute = ['abs(a)', 'abs_diff(a, b)'];
  const shuffled =
    lanes === 1 || lanes === 3
      ? []
      : [`shuffle(a, as_${mask}(b))`, `shuffle2(a, b, as_${mask}(c))`];
  const tests = SIGNED.includes(type as 'int') ? ['any(a)', 'all(a)', 'all(a | b | c)'] : [];
  const wider: Readonly<Record<string, string>> = {
    char: 'short',
    short: 'int',
    int: 'long',
    uchar: 'ushort',
    ushort: 'uint',
    uint: 'ulong',
  };
  const to = wider[type];
  const low = vector(unsigned(type), lanes);
  return [
    ...[...same, ...shuffled].map((text) => ({ from, to: from, text })),
    ...absolute.map((text) => ({ from, to: mask, text })),
    ...tests.map((text) => ({ from, to: 'int', text })),
    ...(to === undefined
      ? []
      : [{ from, to: vector(to, lanes), text: `upsample(a, as_${low}(b))` }]),
  ];
}

/** The conversions from one type to another that name a rounding or saturate. */
function conversions(from: string, to: string, lanes: number): Expression[] {
  const isFloat = (type: string) => type === 'float' || type === 'double';
  const roundings = ['_rte', '_rtz', '_rtp', '_rtn'];
  const saturating = ['_sat', ...roundings.map((rounding) => `_sat${rounding}`)];
  const [F, T] = [vector(from, lanes), vector(to, lanes)];
  // What a float becomes that an integer cannot hold, OpenCL leaves open unless it saturates.
  const names = isFloat(to)
    ? roundings
    : isFloat(from)
      ? saturating
      : [...roundings, ...saturating];
  return names.map((name) => ({ from: F, to: T, text: `convert_${T}${name}(a)` }));
}

describe.runIf(hasClang)('functions give the same on CUDA as on SYCL', () => {
  const seed = randomSeed();
  const next = bits(seed);
  const lanes = () => [1, 2, 3, 4, 8, 16][next() % 6] as number;
  const cases = Array.from({ length: runs(1) }, () => seed + next());

  test.each(cases)('of floats: seed %i', async (one) => {
    const expressions = (['float', 'double'] as const).flatMap((type) =>
      floatExpressions(type, lanes()),
    );
    expect(await differences(expressions, one)).toEqual([]);
  });

  test.each(cases)('of integers: seed %i', async (one) => {
    const expressions = INTEGERS.flatMap((type) => integerExpressions(type, lanes()));
    expect(await differences(expressions, one)).toEqual([]);
  });

  test.each(cases)('conversions: seed %i', async (one) => {
    const types = [...INTEGERS, 'float', 'double'];
    const pairs = types.flatMap((to) => types.map((from) => [from, to] as const));
    const expressions = pairs.flatMap(([from, to]) => conversions(from, to, lanes()));
    expect(await differences(expressions, one)).toEqual([]);
  });
});
