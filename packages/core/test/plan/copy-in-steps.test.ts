import { describe, expect, it } from 'vitest';
import { fromProducer, permuteDims, reshape } from '../../src/index.js';
import { copyInSteps, type MoveBytes } from '../../src/plan/copy-in-steps.js';
import { planCopy } from '../../src/plan/plan-copy.js';

/** Moves bytes between arrays, one unit at a time. */
const move: MoveBytes = (plan, to, from) => {
  const step = (axis: number, at: number, origin: number): void => {
    if (axis === plan.shape.length) {
      to?.set((from as Uint8Array).subarray(origin, origin + plan.unit), at);
      return;
    }
    for (let i = 0; i < (plan.shape[axis] as number); i++) {
      const stride = plan.sourceStrides[axis] as number;
      step(axis + 1, at + i * (plan.destinationStrides[axis] as number), origin + i * stride);
    }
  };
  step(0, Number(plan.destination), Number(plan.source));
};

describe('copyInSteps', () => {
  it.each([
    [1, 3],
    [70, 100],
    [4097, 2],
    [2, 9000],
  ])('converts a transposed %i x %i array', (rows, columns) => {
    const source = Float64Array.from({ length: rows * columns }, (_, i) => i + 0.5);
    const target = new Int32Array(rows * columns);
    const from = permuteDims(reshape(fromProducer(source), [rows, columns]), [1, 0]);
    const to = reshape(fromProducer(target), [columns, rows]);
    const bytes = (array: Float64Array | Int32Array) => new Uint8Array(array.buffer);
    const steps: number[] = [];
    copyInSteps(planCopy(to, from), bytes(target), bytes(source), (plan, into, outOf) => {
      const units = plan.shape.reduce((product, length) => product * length, 1);
      steps.push(units);
      expect(plan.nbytes).toBe(units * plan.unit);
      move(plan, into, outOf);
    });
    const expected = Int32Array.from({ length: rows * columns }, (_, i) => {
      const [column, row] = [Math.floor(i / rows), i % rows];
      return row * columns + column;
    });
    expect(target).toEqual(expected);
    expect(Math.max(...steps)).toBeLessThanOrEqual(4096);
  });

  it('moves bytes that stay as they are in one step', () => {
    const source = Uint8Array.of(1, 2, 3, 4);
    const target = new Uint8Array(4);
    let count = 0;
    copyInSteps(planCopy(fromProducer(target), fromProducer(source)), target, source, (...step) => {
      count++;
      move(...step);
    });
    expect([count, ...target]).toEqual([1, 1, 2, 3, 4]);
  });
});
