import { evaluate } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exponentOf } from '../../src/code/at-once.js';
import { exp } from '../../src/meaning/mathematics.js';
import { Builder } from '../../src/program/builder.js';
import type { Instruction } from '../../src/program/instruction.js';

const EDGES = [
  0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324, -5e-324, 1e300, -1e300,
  709.782712893384, 709.7827128933841, 709.7827128933842, -745, -745.2, -746, -746.1, -708.4, 0.5 * Math.LN2, 1.5 * Math.LN2,
]; // biome-ignore format: in rows

/** What the instructions come to, one after another. */
function exponential(x: number): number {
  const builder = new Builder();
  return builder.valueOf(exp(builder, builder.constant('float64', x))) as number;
}

test('the host’s exponential has the bits of its instructions', async () => {
  const some = fc.oneof(
    fc.double(),
    fc.double({ min: -800, max: 800 }),
    fc.double({ min: -1, max: 1 }),
  );
  const values = [...EDGES, ...fc.sample(some, 5_000)];
  using x = await host.array(Float64Array.from(values));
  using y = await evaluate(host, 'exp(x)', { x });
  expect([...((await host.toTypedArray(y)) as Float64Array)]).toEqual(values.map(exponential));
});

test('only all of its instructions are an exponential', () => {
  const builder = new Builder();
  const x = builder.op('negate', builder.load(0, 0, 'float64'));
  const root = exp(builder, x);
  const { instructions } = builder;
  expect(exponentOf(instructions, root)).toBe(x);
  const isNone = (changed: readonly Instruction[]) => exponentOf(changed, root) === null;
  for (const [index, one] of instructions.entries()) {
    if (index <= x) continue;
    expect(exponentOf(instructions, index)).toBe(index === root ? x : null);
    const { value, operands, operation } = one;
    const other = value === undefined ? { operands: operands.map(() => x) } : { value: -value };
    // Some have x alone for operands.
    const isSame = value === undefined && operands.every((operand) => operand === x);
    expect(isNone(instructions.with(index, { ...one, ...other }))).toBe(!isSame);
    const another = operation === 'add' ? 'subtract' : 'add';
    expect(isNone(instructions.with(index, { ...one, operation: another }))).toBe(true);
    expect(isNone(instructions.with(index, { ...one, type: 'float32' }))).toBe(true);
  }
});
