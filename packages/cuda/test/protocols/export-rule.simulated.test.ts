import {
  type CudaArray,
  type CudaEmptyOptions,
  cuda,
  liveAllocations,
  type Stream,
} from '@array-interface/cuda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultStream } from '../support/driver.js';
import { hold } from '../support/hold.js';
import { Stranger } from '../support/stranger.js';

// CAI v3, "Synchronization": we produce, and another library that keeps the rule consumes. On each schedule,
// with our work pending when the dict is read, and ended, which is the usual case on a GPU.

const LENGTH = 1000;
const MOMENTS = ['pending', 'ended'] as const;

const kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

afterEach(async () => {
  for (const one of kept.splice(0).reverse()) one[Symbol.dispose]();
  await cuda.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
});

const streamOf = ({ device, stream }: Stranger) => ({ device, handle: stream });

async function onlyValue(array: CudaArray, queue?: Stream): Promise<number> {
  const elements = await cuda.toTypedArray(array, queue ? { queue } : {});
  const values = new Set(Array.from(elements as ArrayLike<number>));
  expect(values.size, `values ${[...values]}`).toBe(1);
  return [...values][0] as number;
}

const PLACES: readonly (readonly [string, () => CudaEmptyOptions])[] = [
  ['without a stream', () => ({})],
  ['on a stream of ours', () => ({ queue: keep(cuda.createStream()) })],
  ['of a pool', () => ({ pool: keep(cuda.createPool()), queue: keep(cuda.createStream()) })],
  ['pinned', () => ({ memoryKind: 'host' })],
];
const CASES = PLACES.flatMap(([name, place]) => MOMENTS.map((moment) => ({ name, place, moment })));

describe.each(CASES)('an array $name, our work $moment when the dict is read', (one) => {
  const { place, moment } = one;

  /** An array full of ones, and what holds that up until it is disposed. */
  async function filled(): Promise<{ array: CudaArray & Disposable; held: Disposable }> {
    const array = keep(cuda.empty([LENGTH], 'uint8', place()));
    await array.synchronize();
    const { homeQueue } = array.memory;
    const stream = (homeQueue as Stream | null) ?? defaultStream();
    const held = keep(hold(stream));
    void cuda.fill(array, 1);
    if (moment === 'ended') {
      held[Symbol.dispose]();
      await array.synchronize();
    }
    return { array, held };
  }

  test('a consumer reads what we wrote, and our next write does not overtake it', async () => {
    const { array, held } = await filled();
    const consumer = keep(new Stranger(LENGTH));
    const reading = keep(hold(streamOf(consumer)));
    consumer.read(array);
    const later = keep(cuda.createStream());
    void cuda.fill(array, 2, { queue: later });
    void cuda.fill(array, 3);
    held[Symbol.dispose]();
    reading[Symbol.dispose]();
    await later.synchronize();
    expect(consumer.value).toBe(1);
    expect(await onlyValue(array)).toBe(3);
  });

  test('our next read sees what a consumer writes, on any stream', async () => {
    const { array, held } = await filled();
    const consumer = keep(new Stranger(LENGTH));
    const writing = keep(hold(streamOf(consumer)));
    consumer.writeTo(array, 7);
    const target = keep(cuda.empty([LENGTH], 'uint8'));
    const queue = keep(cuda.createStream());
    await cuda.copy(target, array, { queue });
    held[Symbol.dispose]();
    writing[Symbol.dispose]();
    expect(await onlyValue(target, queue)).toBe(7);
  });

  test('the memory is neither freed nor reused while a consumer reads it', async () => {
    const { array, held } = await filled();
    const { pool, ...rest } = place();
    const consumer = keep(new Stranger(LENGTH));
    const reading = keep(hold(streamOf(consumer)));
    consumer.read(array);
    array[Symbol.dispose]();
    for (let i = 0; i < 3; i++) {
      const queue = keep(cuda.createStream());
      const next = keep(cuda.empty([LENGTH], 'uint8', rest));
      void cuda.fill(next, 9, { queue });
      if (moment === 'ended') await queue.synchronize(); // while the consumer is held
    }
    held[Symbol.dispose]();
    reading[Symbol.dispose]();
    expect(consumer.value, 'what the consumer read of memory that was given up').toBe(1);
  });
});

describe('a loan of our own memory', () => {
  test.each(MOMENTS)('reports its work to the lender, %s', async (moment) => {
    const array = keep(cuda.empty([LENGTH], 'uint8'));
    await cuda.fill(array, 1);
    await array.synchronize();
    const { __cuda_array_interface__ } = array;
    const loans = [
      keep(cuda.asArray({ __cuda_array_interface__ })),
      keep(
        cuda.asArray({ __cuda_array_interface__: { ...__cuda_array_interface__, stream: null } }),
      ),
      keep(cuda.asArray(array, { sync: 'none' })),
    ];
    for (const [index, loan] of loans.entries()) {
      const [writing, reading] = [keep(cuda.createStream()), keep(cuda.createStream())];
      const held = keep(hold(writing));
      void cuda.fill(loan, 10 + index, { queue: writing });
      if (moment === 'ended') {
        held[Symbol.dispose]();
        await writing.synchronize();
      }
      const target = keep(cuda.empty([LENGTH], 'uint8'));
      await cuda.copy(target, array, { queue: reading });
      held[Symbol.dispose]();
      expect(await onlyValue(target, reading)).toBe(10 + index);
    }
  });

  test('keeps the memory until its work has ended, also after the lender and itself', async () => {
    const array = keep(cuda.empty([LENGTH], 'uint8'));
    await cuda.fill(array, 1);
    const loan = keep(cuda.asArray({ __cuda_array_interface__: array.__cuda_array_interface__ }));
    const [queue, other] = [keep(cuda.createStream()), keep(cuda.createStream())];
    const target = keep(cuda.empty([LENGTH], 'uint8'));
    const held = keep(hold(queue));
    await cuda.copy(target, loan, { queue });
    array[Symbol.dispose]();
    loan[Symbol.dispose]();
    const next = keep(cuda.empty([LENGTH], 'uint8'));
    void cuda.fill(next, 9, { queue: other });
    held[Symbol.dispose]();
    expect(await onlyValue(target, queue)).toBe(1);
  });
});

test('settle waits for all work, and its result names no stream', async () => {
  for (const moment of MOMENTS) {
    const array = keep(cuda.empty([LENGTH], 'uint8', { memoryKind: 'host' }));
    const consumer = keep(new Stranger(LENGTH));
    const held = keep(hold(streamOf(consumer)));
    void cuda.fill(array, 1);
    consumer.writeTo(array, 5);
    if (moment === 'ended') held[Symbol.dispose]();
    const settled = cuda.settle(array);
    let isSettled = false;
    void settled.then(() => {
      isSettled = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    held[Symbol.dispose]();
    const descriptor = await settled;
    expect(isSettled).toBe(true);
    expect(descriptor.stream).toBeNull();
    expect(descriptor.pointer).toBe(array.pointer);
    expect(await onlyValue(array)).toBe(5);
  }
});

test('settle of another library’s dict waits for the producer', async () => {
  const producer = keep(new Stranger(LENGTH));
  const held = keep(hold(streamOf(producer)));
  producer.write(4);
  const settled = cuda.settle(producer.dict());
  held[Symbol.dispose]();
  const { pointer, stream } = await settled;
  expect([pointer, stream]).toEqual([producer.pointer, null]);
  const silent = keep(cuda.asArray(producer.dict(), { sync: 'none' }));
  expect(await onlyValue(silent)).toBe(4);
});
