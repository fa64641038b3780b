import { expect, test } from 'vitest';
import { dtype, makeDescriptor } from '../../src/index.js';
import { canCast } from '../../src/numbers/index.js';
import { expectRefusal } from '../support/refusal.js';
import casting from '../support/vectors/numpy-casting.json' with { type: 'json' };

const RULES = ['no', 'equiv', 'safe', 'same_kind', 'unsafe'] as const;

test('canCast has NumPy’s answer for all pairs of numbers, of dtypes and of arrays', () => {
  for (const [pair, first] of Object.entries(casting)) {
    const [from, to] = pair.split(' ').map((text) => dtype(text)) as [never, never];
    const array = makeDescriptor({ pointer: 64, shape: [2], dtype: from });
    const allowed = RULES.slice(RULES.indexOf(first as 'no'));
    expect(
      RULES.filter((rule) => canCast(from, to, rule)),
      pair,
    ).toEqual(allowed);
    expect(
      RULES.filter((rule) => canCast(array, to, rule)),
      pair,
    ).toEqual(allowed);
    expect(canCast(from, to)).toBe(allowed.includes('safe'));
  }
});

test('canCast refuses other rules, and what is no dtype', () => {
  expectRefusal(() => canCast('int8', 'int16', 'save' as never), 'ERR_ARGUMENT', 'casting');
  expectRefusal(() => canCast('int8', 'itn16' as never), 'ERR_TYPESTR', 'to');
  expectRefusal(() => canCast(4 as never, 'int16'), 'ERR_TYPE', 'from');
  // @ts-expect-error misspelt
  expect(() => canCast('int8', 'itn16')).toThrow();
});
