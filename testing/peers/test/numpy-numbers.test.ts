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
