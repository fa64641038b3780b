import { randomFillSync } from 'node:crypto';
import {
  type DTypeText,
  dtype,
  flip,
  fromProducer,
  permuteDims,
  reshape,
  view,
} from '@array-interface/core';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { refused } from '../support/refused.js';
import { seen } from '../support/seen.js';

/** Bytes written by a copy that is worth three threads. */
const LARGE = 3 << 20;

/** One side of a copy: its type, and how its axes lie in memory. */
interface Side {
  readonly type: DTypeText;
  readonly order: readonly number[];
  readonly isReversed: boolean;
  /** Bytes before the first element. */
  readonly offset: number;
}

const side: fc.Arbitrary<Side> = fc.record({
  type: fc.constantFrom('uint8', '>i2', 'float16', 'float32', '>f8', 'complex128'),
  order: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
  isReversed: fc.boolean(),
  offset: fc.integer({ min: 0, max: 16 }),
});

/** A copy of so many bytes: the last axis is as long as it takes. */
const largeCopy = fc.record({
  first: fc.constantFrom([], [1733], [3], [31, 2], [7, 700]),
  to: side,
  from: side,
  threads: fc.integer({ min: 2, max: 9 }),
});

/** An array without gaps in new memory, and that memory. */
function made(lengths: readonly number[], { type, order, isReversed, offset }: Side) {
  const axes = lengths.map((_, axis) => axis);
  axes.sort((a, b) => (order[a] as number) - (order[b] as number));
  const shape = axes.map((axis) => lengths[axis] as number);
  const size = shape.reduce((product, length) => product * length, dtype(type).itemsize);
  const bytes = new Uint8Array(offset + size);
  const dense = reshape(view(fromProducer(bytes.subarray(offset)), type), shape);
  const array = permuteDims(
    dense,
    lengths.map((_, axis) => axes.indexOf(axis)),
  );
  return { bytes, array: isReversed ? flip(array) : array };
}

const settings = random(20);
test(`copies on several threads equal those on one, seed ${settings.seed}`, async () => {
  const property = fc.asyncProperty(largeCopy, async ({ first, to, from, threads }) => {
    const units = first.reduce((product, length) => product * length, dtype(to.type).itemsize);
    const lengths = [...first, Math.ceil(LARGE / units)];
    const source = made(lengths, from);
    randomFillSync(source.bytes);
    const [one, many] = [made(lengths, to), made(lengths, to)];
    await host.copy(one.array, source.array, { casting: 'unsafe' });
    await host.copy(many.array, source.array, { casting: 'unsafe', threads });
    expect(Buffer.compare(one.bytes, many.bytes)).toBe(0);
  });
  await fc.assert(property, settings);
});

test('threads work on a copy, and end with it', () => {
  const { before, most, after, isRight } = seen('threads');
  expect(isRight).toBe(true);
  expect(most).toBe(before + 3);
  expect(after).toBe(before);
});

test('a copy whose threads cannot be started is done without them', () => {
  const { before, most, isRight } = seen('threads', 'none');
  expect(isRight).toBe(true);
  expect(most).toBe(before);
});

test('worker threads that end while they copy leave no thread behind', () => {
  const { copies, areRight, left } = seen('terminated-threads');
  expect(copies).toBeGreaterThan(2);
  expect(areRight).toBe(true);
  expect(left).toBe(0);
});

/** How many threads each copy of `work` was given. */
async function given(work: () => Promise<unknown>): Promise<unknown[]> {
  const copy = vi.spyOn(addon(), 'copy');
  try {
    await work();
    return copy.mock.calls.map(([, threads]) => threads);
  } finally {
    copy.mockRestore();
  }
}

test('the threads of a copy come from an option, its queue, or the queue of an array', async () => {
  using queue = host.createQueue({ threads: 3 });
  expect(queue.threads).toBe(3);
  const bytes = Uint8Array.of(1, 2, 3);
  expect(await given(() => host.copy(new Int16Array(3), bytes))).toEqual([1]);
  expect(await given(() => host.copy(bytes, bytes.slice(), { queue }))).toEqual([3]);
  expect(await given(() => host.copy(bytes, bytes.slice(), { queue, threads: 2 }))).toEqual([2]);
  expect(await given(() => host.copy(bytes, bytes, { threads: 2 }))).toEqual([2, 2]);
  expect(await given(() => host.fill(bytes, 7, { threads: 2 }))).toEqual([2]);
  expect(await given(() => host.toTypedArray(bytes, { threads: 2 }))).toEqual([2]);
  using array = host.empty([3], 'uint8', { queue });
  expect(await given(() => host.copy(array, bytes))).toEqual([3]);
  expect(
    await given(async () => {
      using made = await host.array(bytes, { queue });
      expect(await host.toTypedArray(made)).toEqual(bytes);
    }),
  ).toEqual([3, 3]);
});

test('a wrong number of threads is refused before anything is written', async () => {
  const bytes = Uint8Array.of(1, 2);
  for (const threads of [0, -1, 1.5, 1025, Number.NaN, Number.POSITIVE_INFINITY, '2', null, {}]) {
    const options = { threads: threads as number };
    await refused(() => host.copy(bytes, Uint8Array.of(3, 4), options), 'ERR_ARGUMENT');
    await refused(() => host.createQueue(options), 'ERR_ARGUMENT');
  }
  const queue = host.createQueue();
  queue[Symbol.dispose]();
  const options = { queue, threads: 2 };
  await refused(() => host.copy(bytes, Uint8Array.of(3, 4), options), 'ERR_DISPOSED');
  expect(bytes).toEqual(Uint8Array.of(1, 2));
});
