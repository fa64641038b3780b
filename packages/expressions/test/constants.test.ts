import { type ArrayDescriptor, type DTypeName, isArrayInterfaceError } from '@array-interface/core';
import { evaluateSync, type Values } from '@array-interface/expressions';
import { describe, expect, test } from 'vitest';
import { elementsOf, of } from './support/elements.js';

// What is known before the launch takes shortcuts: integers of the text are exact, operations on constants are
// done at once, and some exponents are no powers. None may be seen in a result or its type.

const OPERATORS = '+ - * / // % << >> & | ^ == != < <= > >= && ||'.split(' ');
const INTEGERS = [0n, 1n, 2n, 7n, 64n, 4097n, -1n, -7n];
const FLOATS = [0.5, 2, -2.5];
const REALS: readonly DTypeName[] = [
  ...(['bool', 'int8', 'uint8', 'int32', 'int64', 'uint64'] as const),
  ...(['float16', 'float32', 'float64'] as const),
];

/** The type and the elements of a result, or the code of its error. */
function outcomeOf(text: string, values: Values): readonly unknown[] {
  let made: ArrayDescriptor;
  try {
    made = evaluateSync(text, values);
  } catch (error) {
    if (isArrayInterfaceError(error)) return ['refused'];
    throw error;
  }
  return [made.dtype.name, ...elementsOf(made)];
}

/** A number as a text has it: a float has a point. */
function literal(value: number | bigint): string {
  const isFloat = typeof value === 'number' && !/[.e]/.test(String(value));
  return `(${value}${isFloat ? '.0' : ''})`;
}

const isIn64 = (value: bigint) => BigInt.asIntN(64, value) === value;

describe.each(OPERATORS)('%s', (operator) => {
  test('of two integers of the text is that of two arguments', () => {
    for (const a of INTEGERS) {
      for (const b of INTEGERS) {
        const texts = `${literal(a)} ${operator} ${literal(b)}`;
        const isLong = operator === '<<' && b >= 0n && (b > 4096n || !isIn64(a << b));
        if (isLong) continue; // exact in the text
        const expected = outcomeOf(`a ${operator} b`, { a, b });
        expect([texts, ...outcomeOf(texts, {})]).toEqual([texts, ...expected]);
      }
    }
  });

  test.each(REALS)('of %s and a number of the text is that of an argument', (type) => {
    const x = of(type, ...(type.endsWith('64') && /int/.test(type) ? [0n, 1n, 3n] : [0, 1, 3]));
    for (const b of [...INTEGERS, ...FLOATS]) {
      for (const [text, same] of [
        [`x ${operator} ${literal(b)}`, `x ${operator} b`],
        [`${literal(b)} ${operator} x`, `b ${operator} x`],
      ] as const) {
        const expected = outcomeOf(same, { x, b });
        const isCompared = /[=<>]=?$/.test(operator) && !/<<|>>/.test(operator);
        if (isCompared && expected[0] === 'refused') continue; // a text may compare with what does not fit
        expect([type, text, ...outcomeOf(text, { x })]).toEqual([type, text, ...expected]);
      }
    }
  });
});

/** What is computed for exponents of the text, by docs/internals/adr/0035-expressions.md. */
const EXPONENTS = [
  [-1, '1 / x'],
  [0, 'x * 0 + 1'],
  [1, 'x'],
  [2, 'x * x'],
] as const;

test.each([...REALS, 'complex64', 'complex128'] as const)('powers of %s', (type) => {
  const isBig = type === 'int64' || type === 'uint64';
  const x = of(type, ...(isBig ? [1n, 3n] : type === 'float16' ? [0x3c00, 0x4200] : [1, 3]));
  const isInteger = !/float|complex/.test(type);
  for (const [exponent, same] of EXPONENTS) {
    const whole = isInteger ? `int64(x) ** ${exponent}` : `x ** ${exponent}`;
    if (isInteger && exponent >= 0) {
      expect([whole, ...outcomeOf(whole, { x }).slice(1)]).toEqual([
        whole,
        ...outcomeOf(`int64(${same})`, { x }).slice(1),
      ]);
    }
    // A float as the exponent makes a float of what an integer is.
    const text = `x ** ${exponent}.0`;
    const floats = same.replaceAll('x', '(x + 0.0)');
    expect([text, ...outcomeOf(text, { x })]).toEqual([text, ...outcomeOf(floats, { x })]);
  }
  expect(outcomeOf('x ** 0.5', { x })).toEqual(outcomeOf('sqrt(x + 0.0)', { x }));
});

test.each(REALS)('a choice by a condition that is known is that of an argument: %s', (type) => {
  const x = of(type, ...(type === 'int64' || type === 'uint64' ? [0n, 1n] : [0, 1]));
  for (const [text, same, c] of [
    ['1 ? x : 2', 'c ? x : 2', 1n],
    ['0 ? x : 2', 'c ? x : 2', 0n],
    ['where(0.0, x, 1.5)', 'where(c, x, 1.5)', 0],
    ['true && x', 'c && x', true],
  ] as const) {
    expect([text, ...outcomeOf(text, { x })]).toEqual([text, ...outcomeOf(same, { x, c })]);
  }
});
