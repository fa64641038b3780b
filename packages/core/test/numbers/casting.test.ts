import { expect, test } from 'vitest';
import { dtype } from '../../src/index.js';
import { castsTo } from '../../src/numbers/casting.js';
import casting from '../support/vectors/numpy-casting.json' with { type: 'json' };

/** For each pair of types the first rule, in this order, under which NumPy casts them. */
const CASTING: Readonly<Record<string, string>> = casting;
const RULES = ['no', 'equiv', 'safe', 'same_kind', 'unsafe'] as const;

const of = (name: string) => dtype(`${Number(name.slice(1)) > 1 ? '<' : '|'}${name}`);

test('all pairs of types cast by NumPy’s rules', () => {
  expect(Object.keys(CASTING).length).toBe(14 * 14);
  for (const [pair, first] of Object.entries(CASTING)) {
    const [from, to] = pair.split(' ').map(of);
    const allowed = RULES.filter((rule) => castsTo(from as never, to as never, rule));
    expect(allowed, pair).toEqual(RULES.slice(RULES.indexOf(first as 'no')));
  }
});

test('another byte order needs equiv, for numbers, dates and text', () => {
  for (const name of ['i2', 'f4', 'c16', 'M8[ns]', 'm8', 'U3']) {
    const [big, little] = [dtype(`>${name}`), dtype(`<${name}`)];
    expect(castsTo(big, little, 'no')).toBe(false);
    expect(RULES.slice(1).every((rule) => castsTo(big, little, rule))).toBe(true);
  }
});

test('pairs that no rule converts', () => {
  const pairs = [
    ['<M8[ns]', '<M8[us]'],
    ['<M8[ns]', '<i8'],
    ['|S4', '|S5'],
    ['|V4', '<f4'],
    ['<U1', '<u4'],
    ['<f16', '>f16'],
  ];
  for (const [from, to] of pairs) {
    expect(castsTo(dtype(from as string), dtype(to as string), 'unsafe'), `${from}`).toBe(false);
  }
});

test('bfloat16 is a float of eight significant bits', () => {
  const short = dtype('bfloat16');
  expect(castsTo(short, dtype('float32'), 'safe')).toBe(true);
  expect(castsTo(dtype('uint8'), short, 'safe')).toBe(true);
  expect(castsTo(dtype('int16'), short, 'safe')).toBe(false);
  expect(castsTo(short, dtype('float16'), 'safe')).toBe(false);
  expect(castsTo(dtype('float32'), short, 'same_kind')).toBe(true);
  expect(castsTo(short, dtype('int32'), 'same_kind')).toBe(false);
  expect(castsTo(short, dtype('<V2'), 'no')).toBe(true);
});
