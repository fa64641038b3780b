import { explainExpression } from '@array-interface/expressions';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// What separates statements, and where a line may end, by the grammar of docs/internals/adr/0035-expressions.md.

const TYPES = { a: 'int32', b: 'int32', c: 'int32' } as const;
const program = (text: string) => explainExpression(text, TYPES).program;

const STATEMENTS = ['let d = a - b', 'let e = where(d, b, c)', 'd * (e + a) // -c'];
const WHOLE = program(STATEMENTS.join(';'));

const space = fc.constantFrom('', ' ', '\t ');
const comment = fc.constantFrom('', '# of what; is = (left', '#');
const line = fc.tuple(space, comment).map((parts) => `${parts.join('')}\n`);
const empty = fc.array(fc.oneof(line, fc.constantFrom(';', ' ; ')), { maxLength: 4 });
const some = fc
  .tuple(empty, fc.oneof(line, fc.constant(';')), empty)
  .map((parts) => parts.flat().join(''));
const any = empty.map((parts) => parts.join(''));

test('statements are apart by any number of line ends, semicolons and comments', () => {
  const texts = fc
    .tuple(any, some, some, any)
    .map(([before, first, second, after]) =>
      [before, STATEMENTS[0], first, STATEMENTS[1], second, STATEMENTS[2], after].join(''),
    );
  fc.assert(
    fc.property(texts, (text) => {
      expect(program(text), text).toBe(WHOLE);
    }),
    random(300),
  );
});

/** The parts of a text in parentheses. */
const PARTS = '( where ( a + b , - a ** 2 , c ) << ( a ? b : c ) && ! ( b == 3 ) )'.split(' ');

test('within parentheses lines end anywhere', () => {
  const gaps = fc.array(fc.oneof(space, line), {
    minLength: PARTS.length,
    maxLength: PARTS.length,
  });
  const expected = program(PARTS.join(' '));
  fc.assert(
    fc.property(gaps, (own) => {
      const text = PARTS.map((part, index) => part + (index < PARTS.length - 1 ? own[index] : ''));
      expect(program(text.join('')), text.join('')).toBe(expected);
    }),
    random(300),
  );
});

test.each('a +|a -|a **|a * !|a == b &&|a ? b :|let d = a; d *'.split('|'))(
  'an operand may follow on another line: %s',
  (before) => {
    for (const gap of ['\n', ' # why\n\n', '\n\t\n']) {
      expect(program(`${before}${gap}b + c`)).toBe(program(`${before} b + c`));
      expect(() => program(`${before};${gap}b + c`)).toThrow(
        'expected an operand, got the end of the statement',
      );
    }
  },
);
