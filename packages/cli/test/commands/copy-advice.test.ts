import { type ArrayDescriptor, dtype, makeDescriptor } from '@array-interface/core';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adviceOn } from '../../src/commands/copy-advice.js';

const plan = (to: ArrayDescriptor, from: ArrayDescriptor, threads = 1) =>
  host.explainCopy(to, from, { casting: 'unsafe', threads });

const advice = (to: ArrayDescriptor, from: ArrayDescriptor) =>
  adviceOn(to, from, plan(to, from), plan);

const types = fc.constantFrom('|u1', '<i2', '<f2', '<f4', '>f4', '<f8', '<c16');

/** Both sides of a copy: the destination dense in any order, the source with gaps and repeats. */
const copies = fc
  .array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 })
  .chain((shape) => {
    const axes = [...shape.keys()];
    const order = fc.shuffledSubarray(axes, { minLength: axes.length });
    const ways = fc.array(fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 2, 20, -1, 0), {
      minLength: axes.length,
      maxLength: axes.length,
    });
    return fc.record({
      shape: fc.constant(shape),
      to: types,
      from: fc.option(types, { freq: 1 }),
      orders: fc.tuple(order, order),
      ways,
    });
  })
  .map(({ shape, to, from, orders, ways }) => {
    const side = (
      pointer: bigint,
      name: string,
      order: readonly number[],
      steps: readonly number[],
    ) => {
      const type = dtype(name);
      const { itemsize } = makeDescriptor({ pointer, shape: [1], dtype: type });
      const byteStrides = shape.map(() => 0);
      let block = itemsize;
      for (const axis of order) {
        byteStrides[axis] = block * (steps[axis] as number);
        block *= (shape[axis] as number) * Math.max(1, Math.abs(steps[axis] as number));
      }
      return makeDescriptor({ pointer, shape, dtype: type, byteStrides });
    };
    const plain = ways.map(() => 1);
    return [
      side(2n ** 60n, to, orders[0], plain),
      side(2n ** 61n, from ?? to, orders[1], ways),
    ] as const;
  });

test('what is said to be faster, is so by the planner', () => {
  let claims = 0;
  const property = fc.property(copies, ([to, from]) => {
    const text = advice(to, from);
    expect(text).toMatch(
      /^(?:Fast: it is one memcpy\.|Too small to matter: .+\.|(?:Fast, about|About twice|Two to five times|Slow, at least four times) as long as one memcpy: [^.]+\.(?: Faster: [^.]+\.)?)$/,
    );
    expect(text.startsWith('Fast: ')).toBe(plan(to, from).way === 'memcpy');
    const [, strides] = /destination of byte strides (\S+) \(one memcpy\)/.exec(text) ?? [];
    if (strides !== undefined) {
      claims++;
      const { pointer, shape, dtype } = to;
      const byteStrides = strides.split(',').map(Number);
      expect(plan(makeDescriptor({ pointer, shape, dtype, byteStrides }), from).way).toBe('memcpy');
    }
    if (text.includes('--threads 2')) expect(plan(to, from, 2).pieces).toBe(2);
  });
  fc.assert(property, random(1000));
  expect(claims).toBeGreaterThan(0);
});

test('no layout is too long for it', () => {
  const shape = [2 ** 20, 2 ** 20];
  const to = makeDescriptor({ pointer: 2n ** 50n, shape, dtype: '<f8' });
  const from = makeDescriptor({
    pointer: 2n ** 49n,
    shape,
    dtype: '|u1',
    byteStrides: [1, 2 ** 28],
  });
  expect(advice(to, from)).toContain('as long as one memcpy: ');
});
