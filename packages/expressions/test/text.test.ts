import { isArrayInterfaceError } from '@array-interface/core';
import { elementwise, evaluateSync, explainExpression } from '@array-interface/expressions';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const INTEGERS = { a: 'int32', b: 'int32', c: 'int32' } as const;
const program = (text: string) => explainExpression(text, INTEGERS).program;

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (isArrayInterfaceError(error)) return error.message;
    throw error;
  }
  return 'no error';
}

describe('operators group', () => {
  test.each([
    ['a + b * c', 'a + (b * c)'],
    ['a - b - c', '(a - b) - c'],
    ['a * b // c', '(a * b) // c'],
    ['-a ** b + c', '(-(a ** b)) + c'],
    ['a ** b ** c', 'a ** (b ** c)'],
    ['a ** -b ** c', 'a ** (-(b ** c))'],
    ['a << b + c', 'a << (b + c)'],
    ['a & b ^ c', '(a & b) ^ c'],
    ['a | b ^ c', 'a | (b ^ c)'],
    ['a | b & c << a', 'a | (b & (c << a))'],
    ['a < b || b < c && a == c', '(a < b) || ((b < c) && (a == c))'],
    ['!a == b || c', '((!a) == b) || c'],
    ['a ? b : c ? b : a', 'a ? b : (c ? b : a)'],
    ['a < b ? a : b - c', '(a < b) ? a : (b - c)'],
    ['~a % b + c', '((~a) % b) + c'],
    ['(a\n + b) * # a comment; with )\n c', '(a + b) * c'],
    ['let d = a - b; d * d + c', '(a - b) * (a - b) + c'],
    ['let d = a\nlet e = b; d - e + c', 'a - b + c'],
    ['where(a, b, 0x1F) + .5e1 + 0b11 + c', '(a ? b : 31) + 5.0 + 3 + c'],
  ])('%s is %s', (text, same) => {
    expect(program(text)).toBe(program(same));
  });
});

describe('a fault is shown where it is', () => {
  const MARK = (text: string) =>
    messageOf(() => explainExpression(text, { x: 'float32', y: 'int8' }));
  test.each([
    ['x +', '1:4: expected an operand, got the end\n  | x +\n  |    ^'],
    [
      'x + yy * y',
      "1:5: expected the name of an operand, got 'yy'; did you mean 'y'?\n  | x + yy * y\n  |     ^^",
    ],
    ['x * sqr(y)', "got 'sqr'; did you mean 'sqrt'?\n  | x * sqr(y)\n  |     ^^^"],
    ['x + sqrt', "got 'sqrt'; write 'sqrt(…)'"],
    [
      'y & 1 == x',
      "got an operand of a comparison; put parentheses around '&'\n  | y & 1 == x\n  | ^^^^^",
    ],
    ['0 < x < y', "write 'a < b && b < c'"],
    ['x = y', "expected the name of an output, got 'x'"],
    ['let z = x; x * 2 = y', "got '='; write '==' to compare"],
    ['clip(x, y)', 'expected 3 operands of clip, got 2'],
    ['x[0] + y', "got '['; take parts of arrays by slice() before"],
    ["x + 'y'", 'there is no text in expressions'],
    ['1x + y', "expected a number, got '1x'"],
    ['x; y', "expected a statement 'name = …', got another statement after it"],
    ['let x = y; x', "expected a new name, got 'x', which is known"],
    ['x + 1', "expected each operand in the text, got none of 'y'"],
    ['x & y', 'expected integers or bools, got float32'],
    ['floor(complex64(x)) + y', 'got complex64, which has no order'],
    ['erf(complex64(x)) + y', "got complex64; take 'real', 'imag' or 'abs' of them"],
    ['(y == 1000) + y * 300 + x', 'expected an integer that int8 can hold, got 300'],
    ['let a =\n  x +\n  y +\n  z; a', "3:3: expected the name of an operand, got 'z'"],
  ])('%j', (text, expected) => {
    const message = MARK(text);
    expect(message).toContain(expected.replace('3:3', '4:3'));
    expect(message).toMatch(/^\[ERR_ARGUMENT\] text:\d+:\d+: expected .*\n {2}\| .*\n {2}\| *\^+/);
  });

  test('in a long line, of which a part is shown', () => {
    const message = MARK(`${'x + '.repeat(100)}$ + ${'x + '.repeat(100)}y`);
    const [, line = '', mark = ''] = message.split('\n');
    expect(line.length).toBeLessThan(90);
    expect(line[mark.indexOf('^')]).toBe('$');
  });

  test('in the definition of a function, before it is called', () => {
    const types = { inputs: { x: 'T' }, outputs: { y: 'T' } } as const;
    const define = (text: string) => messageOf(() => elementwise('f', types, text));
    expect(define('y = x + z')).toContain("expected the name of an operand, got 'z'");
    expect(define('yy = x')).toContain(
      "expected the name of an output, got 'yy'; did you mean 'y'?",
    );
    expect(define('y = x; y = x')).toContain(
      "expected one assignment to each output, got another one to 'y'",
    );
    expect(define('let z = x')).toContain("expected a statement 'y = …', got the end");
    expect(define('y = y + x')).toContain('it has no value before it is assigned');
    expect(define('x')).toContain(
      "expected a statement 'name = …', got an expression; the outputs are y",
    );
    const wrong = { inputs: { x: 'flaot32' }, outputs: { y: 'T' } } as never;
    expect(messageOf(() => elementwise('f', wrong, 'y = x'))).toContain("did you mean 'float32'?");
  });
});

describe('hostile texts end soon', () => {
  const x = { x: Uint8Array.of(1) };
  test.each([
    ['deep parentheses', '('.repeat(16_000)],
    ['deep signs', `${'-'.repeat(16_000)}x`],
    ['deep powers', Array(8000).fill('x').join('**')],
    ['deep choices', `${'x?x:'.repeat(4000)}x`],
    ['a long text', 'x'.repeat(10_000_000)],
    ['a long number', `x + ${'9'.repeat(16_000)}`],
    ['a large power', 'x + 9 ** 4096'],
    ['powers of powers', 'x + 9 ** 9 ** 9 ** 9'],
    ['a large shift', 'x + (1 << 4000)'],
    [
      'many powers',
      Array.from({ length: 600 }, (_, i) => `int64(x ^ ${i % 256}) ** int64(x ^ ${i >> 8})`).join(
        '+',
      ),
    ],
    ['many names', Array.from({ length: 1000 }, (_, i) => `let a${i} = x`).join(';')],
    ['a long name', `${'a'.repeat(16_000)} + x`],
  ])('%s', (_, text) => {
    const start = performance.now();
    expect(messageOf(() => evaluateSync(text, x))).toMatch(/^\[ERR_ARGUMENT\]/);
    expect(performance.now() - start).toBeLessThan(2000); // milliseconds on an idle machine
  });

  test('a long sum is computed', () => {
    const sum = evaluateSync(Array(4000).fill('x').join('+'), x);
    expect(new Uint8Array(sum.buffer as ArrayBuffer)[0]).toBe(4000 % 256);
  });
});

const WORDS = [
  'x',
  'y',
  'let',
  'z',
  '=',
  ';',
  '\n',
  '(',
  ')',
  ',',
  '?',
  ':',
  '+',
  '-',
  '*',
  '**',
  '//',
  '%',
  '<',
  '<<',
  '==',
  '&',
  '&&',
  '|',
  '~',
  '!',
  '1',
  '2.5',
  '1e309',
  '0x',
  '1e',
  '.',
  'sqrt',
  'where',
  'float16',
  'true',
  'nan',
  'i0',
  'i1',
  '#',
  '$',
  '"',
  '\u0000',
  '\u202e',
  '🙂',
  ' ',
];

test('any text is computed, or refused with a place in it', () => {
  const texts = fc
    .array(fc.constantFrom(...WORDS), { maxLength: 40 })
    .map((words) => words.join(''));
  const values = { x: Float32Array.of(1, 2), y: Int16Array.of(3, 4) };
  fc.assert(
    fc.property(texts, (text) => {
      const message = messageOf(() => evaluateSync(text, values));
      if (message === 'no error') return;
      expect(message).toMatch(
        /^\[ERR_(ARGUMENT|CASTING)\] (text:\d+:\d+|result): expected .+, got /s,
      );
      const lines = message.split('\n');
      for (const line of lines.slice(1)) expect(line).toMatch(/^ {2}\| [ -~…🙂]*$/u);
    }),
    random(3000),
  );
});
