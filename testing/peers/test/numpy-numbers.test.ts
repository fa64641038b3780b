import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { broadcastShapes, dtype, isArrayInterfaceError } from '@array-interface/core';
import { canCast, resultType } from '@array-interface/core/numbers';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Python, pythonOf } from './support/python.js';

const numpy = new Python('numbers_peer', [pythonOf('sycl')]);
afterAll(() => numpy[Symbol.asyncDispose]());

const NUMBERS = 'b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16'.split(' ');
/** Numbers that core describes and does not convert. */
const LONG = ['f16', 'c32'];
const SCALARS = { boolean: false, bigint: -1n, number: 2 } as const;
const RULES = ['no', 'equiv', 'safe', 'same_kind', 'unsafe'] as const;

const both = (codes: readonly string[]) => codes.flatMap((code) => [`<${code}`, `>${code}`]);
const pairsOf = <A, B>(one: readonly A[], other: readonly B[]): [A, B][] =>
  one.flatMap((a) => other.map((b): [A, B] => [a, b]));

const operand = (text: string) => SCALARS[text as keyof typeof SCALARS] ?? dtype(text);
const ownResults = (lists: readonly (readonly string[])[]) =>
  lists.map((operands) => resultType(...operands.map(operand)).typestr);

const settings = random(2000);

/** The files that make_conversions.py writes, in the order of its arguments. */
const VECTORS = [
  'packages/contract/src/copies/numpy-conversions.json',
  'packages/core/test/support/vectors/numpy-casting.json',
  'packages/core/test/support/vectors/numpy-promotion.json',
  'packages/contract/src/copies/numpy-roundings.json',
];
const root = fileURLToPath(new URL('../../..', import.meta.url));

test('the vectors of conversions, casting, promotion and rounding are what NumPy makes now', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vectors-'));
  try {
    const made = VECTORS.map((file) => path.join(folder, path.basename(file)));
    const program = path.join(root, 'testing/peers/python/make_conversions.py');
    execFileSync(pythonOf('sycl'), [program, ...made], { stdio: 'inherit' });
    for (const [index, file] of VECTORS.entries()) {
      const [expected, got] = [path.join(root, file), made[index] as string].map((one) =>
        readFileSync(one, 'utf8').split('\n'),
      ) as [string[], string[]];
      const differs = got.findIndex((line, at) => line !== expected[at]);
      expect([file, got.length, differs]).toEqual([file, expected.length, -1]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the names of dtypes are those that NumPy has and reads', async () => {
  const times = ['M8', 'm8', 'M8[ns]', 'm8[25us]', 'M8[D]', 'm8[7Y]'];
  const typestrs = both([...NUMBERS, ...LONG, ...times, 'S5', 'S1', 'U3', 'V4']);
  const own = typestrs.map((text) => [dtype(text).name ?? null, dtype(text).typestr]);
  expect(own).toEqual(await numpy.call('names', typestrs));
});

test('all pairs of numbers, and all with a scalar, have the dtype of NumPy’s result', async () => {
  const all = [...both([...NUMBERS, ...LONG]), ...Object.keys(SCALARS)];
  const pairs = [...all.map((one) => [one]), ...pairsOf(all, all)];
  expect(ownResults(pairs)).toEqual(await numpy.call('result_types', pairs));
});

test(`so have lists of operands, in any order, seed ${settings.seed}`, async () => {
  const texts = fc.constantFrom(...both([...NUMBERS, ...LONG]), ...Object.keys(SCALARS));
  const lists = fc.sample(fc.array(texts, { minLength: 3, maxLength: 6 }), settings);
  expect(ownResults(lists)).toEqual(await numpy.call('result_types', lists));
});

test('canCast allows what NumPy allows, under each rule', async () => {
  const codes = both(NUMBERS);
  const pairs = pairsOf(codes, codes);
  const own = pairs.map(([from, to]) =>
    RULES.filter((rule) => canCast(dtype(from), dtype(to), rule)),
  );
  expect(own).toEqual(await numpy.call('castable', pairs, RULES));
});

test(`shapes broadcast as NumPy's do, seed ${settings.seed}`, async () => {
  const shape = fc.array(fc.constantFrom(0, 1, 1, 2, 3), { maxLength: 5 });
  const lists = fc.sample(fc.array(shape, { maxLength: 4 }), settings);
  const own = lists.map((shapes) => {
    try {
      return broadcastShapes(...shapes);
    } catch (error) {
      if (!isArrayInterfaceError(error, 'ERR_SHAPE_MISMATCH')) throw error;
      return null;
    }
  });
  expect(own).toEqual(await numpy.call('broadcasts', lists));
  expect(own.filter((one) => one === null).length).toBeGreaterThan(settings.numRuns / 10);
});
