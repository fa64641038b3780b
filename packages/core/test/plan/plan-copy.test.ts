import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CopyPlan, isContiguous, planCopy } from '../../src/backend/index.js';
import {
  type ArrayDescriptor,
  dtype,
  flip,
  makeDescriptor,
  permuteDims,
  slice,
} from '../../src/index.js';

/** Byte pairs (destination, source) that a plan moves. */
function bytesOf(plan: CopyPlan): Map<number, number> {
  const moved = new Map<number, number>();
  const visit = (axis: number, to: number, from: number) => {
    if (axis === plan.shape.length) {
      for (let byte = 0; byte < plan.unit; byte++) moved.set(to + byte, from + byte);
      return;
    }
    for (let i = 0; i < (plan.shape[axis] as number); i++) {
      const [step, stride] = [plan.destinationStrides[axis], plan.sourceStrides[axis]];
      visit(axis + 1, to + i * (step as number), from + i * (stride as number));
    }
  };
  visit(0, Number(plan.destination), Number(plan.source));
  return moved;
}

/** The same, straight from what broadcasting means. */
function bytesOfArrays(to: ArrayDescriptor, from: ArrayDescriptor): Map<number, number> {
  const moved = new Map<number, number>();
  const missing = to.ndim - from.ndim;
  const visit = (axis: number, target: number, origin: number) => {
    if (axis === to.ndim) {
      for (let byte = 0; byte < to.itemsize; byte++) moved.set(target + byte, origin + byte);
      return;
    }
    for (let i = 0; i < (to.shape[axis] as number); i++) {
      const inSource = axis - missing;
      const index = inSource >= 0 && from.shape[inSource] !== 1 ? i : 0;
      const stride = inSource >= 0 ? (from.byteStrides[inSource] as number) : 0;
      visit(axis + 1, target + i * (to.byteStrides[axis] as number), origin + index * stride);
    }
  };
  visit(0, Number(to.pointer), Number(from.pointer));
  return moved;
}

const dtypes = ['|u1', '<i2', '<f4', '<f8', '<c16', '|V3', '|V12', '|S7'];

/** A dense array of a random shape, permuted, stepped and reversed. */
const layouts = fc
  .record({
    shape: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }),
    typestr: fc.constantFrom(...dtypes),
    seed: fc.integer({ min: 0, max: 1000 }),
    pointer: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ shape, typestr, seed, pointer }) => {
    const make = (start: number, turn: number) => {
      const order = [...shape.keys()].sort((a, b) => ((a * 7 + turn) % 5) - ((b * 7 + turn) % 5));
      const padded = order.map((axis) => (shape[axis] as number) * (1 + (turn % 2)));
      const whole = makeDescriptor({
        pointer: BigInt(4096 + start),
        shape: padded,
        dtype: dtype(typestr),
      });
      const stepped = slice(
        whole,
        order.map((axis) => [0, shape[axis] as number]),
      );
      const back = permuteDims(
        stepped,
        [...shape.keys()].map((axis) => order.indexOf(axis)),
      );
      const axes = [...shape.keys()].filter((axis) => (turn >> axis) & 1);
      return flip(back, axes);
    };
    return { to: make(pointer, seed), from: make(pointer * 3 + 10_000, seed * 31 + 7) };
  });

describe('planCopy', () => {
  test('moves exactly the bytes that the two layouts mean', () => {
    fc.assert(
      fc.property(layouts, ({ to, from }) => {
        expect(bytesOf(planCopy(to, from))).toEqual(bytesOfArrays(to, from));
      }),
      random(500),
    );
  });

  test('broadcasts axes that are missing or of length 1', () => {
    const to = makeDescriptor({ pointer: 4096n, shape: [2, 3, 4], dtype: 'float32' });
    const from = makeDescriptor({ pointer: 8192n, shape: [3, 1], dtype: 'float32' });
    expect(bytesOf(planCopy(to, from))).toEqual(bytesOfArrays(to, from));
  });

  test('makes one run of what is contiguous on both sides, whatever the axes', () => {
    const to = makeDescriptor({ pointer: 4096n, shape: [4, 8, 3], dtype: 'float32' });
    const from = makeDescriptor({ pointer: 8192n, shape: [4, 8, 3], dtype: 'float32' });
    const order = [2, 0, 1];
    for (const plan of [
      planCopy(to, from),
      planCopy(permuteDims(to, order), permuteDims(from, order)),
      planCopy(flip(to, [0, 1, 2]), flip(from, [0, 1, 2])),
    ]) {
      expect(plan).toMatchObject({ destination: 4096n, source: 8192n, unit: 1, shape: [384] });
      expect(isContiguous(plan)).toBe(true);
    }
  });

  test('chooses a unit that divides every address and stride', () => {
    const to = makeDescriptor({ pointer: 4096n, shape: [2, 16], dtype: 'uint8' });
    const unit = (pointer: bigint, byteStrides: number[]) =>
      planCopy(to, makeDescriptor({ pointer, shape: [2, 16], dtype: 'uint8', byteStrides })).unit;
    expect(unit(8192n, [32, 1])).toBe(16);
    expect(unit(8196n, [32, 1])).toBe(4);
    expect(unit(8192n, [18, 1])).toBe(2);
    expect(unit(8192n, [32, 2])).toBe(1);
  });
});
