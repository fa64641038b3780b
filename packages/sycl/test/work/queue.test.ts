import type { OwnedArray } from '@array-interface/core';
import type { QueueEvent } from '@array-interface/core/backend';
import { type SyclArray, type SyclQueue, sycl } from '@array-interface/sycl';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { refused } from '../support/refused.js';

// Long enough for a small copy on another queue to overtake it: transpositions of 16 MiB.
const SIDE = 2048;
let large: OwnedArray<SyclArray>;
let square: OwnedArray<SyclArray>;
let turned: SyclArray;
let scratch: OwnedArray<SyclArray>;

beforeAll(async () => {
  large = await sycl.array(new Float32Array(SIDE * SIDE).fill(1));
  const producer = { __sycl_usm_array_interface__: { ...dictOf(large), shape: [SIDE, SIDE] } };
  square = sycl.asArray(producer);
  turned = square.permuteDims([1, 0]);
  scratch = sycl.empty([SIDE, SIDE], 'float32');
  await sycl.copy(scratch, turned);
  await scratch.synchronize();
});

afterAll(() => {
  for (const array of [scratch, square, large]) array[Symbol.dispose]();
});

function dictOf(array: SyclArray) {
  return array.__sycl_usm_array_interface__;
}

/** Keeps a queue busy for some milliseconds, with work on memory that nothing else uses. */
async function occupy(queue: SyclQueue, times = 4): Promise<void> {
  for (let i = 0; i < times; i++) await sycl.copy(scratch, turned, { queue });
}

const QUEUES = [{ inOrder: true }, { inOrder: false }] as const;

describe.each(QUEUES)('queues with %o', (options) => {
  test('work of one queue is in order', async () => {
    using queue = sycl.createQueue(options);
    using array = sycl.empty([SIDE, SIDE], 'float32', { queue });
    using small = sycl.empty([SIDE], 'float32', { queue });
    await sycl.fill(array, 0);
    await sycl.copy(array, turned, { queue });
    const last = array.slice([SIDE - 1]);
    await sycl.copy(small, last, { queue });
    expect([...(await sycl.toTypedArray(small))]).toEqual(Array(SIDE).fill(1));
  });

  test('a reader on another queue waits for the writer', async () => {
    using writer = sycl.createQueue(options);
    using reader = sycl.createQueue(options);
    using array = await sycl.array(new Float32Array(16));
    await occupy(writer);
    await sycl.fill(array, 7, { queue: writer });
    expect([...(await sycl.toTypedArray(array, { queue: reader }))]).toEqual(Array(16).fill(7));
  });

  test('a borrower’s work starts after the producer’s queue', async () => {
    using queue = sycl.createQueue(options);
    using mine = sycl.createQueue(options);
    using array = await sycl.array(new Float32Array(16));
    await array.synchronize();
    using borrowed = sycl.asArray({
      __sycl_usm_array_interface__: { ...dictOf(array), syclobj: queue },
    });
    await occupy(queue);
    const event = queue.record();
    using copied = sycl.empty([16], 'float32');
    await sycl.copy(copied, borrowed, { queue: mine });
    await mine.synchronize();
    expect(event.query()).toBe(true);
  });

  test('and the producer’s next work after the borrower’s', async () => {
    using queue = sycl.createQueue(options);
    using mine = sycl.createQueue(options);
    using array = await sycl.array(new Float32Array(16));
    const producer = { __sycl_usm_array_interface__: { ...dictOf(array), syclobj: queue } };
    using borrowed = sycl.asArray(producer);
    using unordered = sycl.asArray(producer, { sync: 'none' });
    await occupy(mine);
    await sycl.fill(borrowed, 3, { queue: mine });
    expect([...(await sycl.toTypedArray(unordered, { queue }))]).toEqual(Array(16).fill(3));
  });

  test('the owner’s work on a third queue waits for a borrower’s', async () => {
    using mine = sycl.createQueue(options);
    using third = sycl.createQueue(options);
    using array = await sycl.array(new Float32Array(16));
    using borrowed = sycl.asArray({ __sycl_usm_array_interface__: dictOf(array) });
    await array.synchronize();
    await occupy(mine);
    await sycl.fill(borrowed, 3, { queue: mine });
    expect([...(await sycl.toTypedArray(array, { queue: third }))]).toEqual(Array(16).fill(3));
  });

  test('sync none leaves the order to the caller', async () => {
    using queue = sycl.createQueue(options);
    using mine = sycl.createQueue(options);
    using array = await sycl.array(new Float32Array(16));
    const producer = { __sycl_usm_array_interface__: { ...dictOf(array), syclobj: queue } };
    using borrowed = sycl.asArray(producer, { sync: 'none' });
    await array.synchronize();
    const waits = [vi.spyOn(queue, 'wait'), vi.spyOn(mine, 'wait')];
    using copied = sycl.empty([16], 'float32');
    await sycl.copy(copied, borrowed, { queue: mine });
    for (const wait of waits) expect(wait).not.toHaveBeenCalled();
  });

  test('sync block waits on this thread, both times', async () => {
    using queue = sycl.createQueue(options);
    using mine = sycl.createQueue(options);
    using array = await sycl.array(new Float32Array(16));
    const producer = { __sycl_usm_array_interface__: { ...dictOf(array), syclobj: queue } };
    using borrowed = sycl.asArray(producer, { sync: 'block' });
    await occupy(queue);
    const event = queue.record();
    const copied = sycl.fill(borrowed, 4, { queue: mine });
    expect(event.query()).toBe(true);
    expect(mine.query()).toBe(true);
    await copied;
  });
});

test('memory is freed only after its work', async () => {
  using queue = sycl.createQueue();
  using target = sycl.empty([16], 'float32');
  const array = await sycl.array(new Float32Array(16).fill(6));
  await array.synchronize();
  await occupy(queue);
  await sycl.copy(target, array, { queue });
  array[Symbol.dispose]();
  using next = await sycl.array(new Float32Array(16).fill(8));
  expect([...(await sycl.toTypedArray(target))]).toEqual(Array(16).fill(6));
  expect(next.shape).toEqual([16]);
});

test('waiting delays no timers', async () => {
  using queue = sycl.createQueue();
  let isWaiting = false;
  let ticked = false;
  const timer = setInterval(() => {
    ticked ||= isWaiting && !queue.query();
  }, 1);
  // On a busy machine the work may have ended before a timer has its turn.
  for (let round = 0; round < 50 && !ticked; round++) {
    await occupy(queue, 8);
    isWaiting = true;
    await queue.synchronize();
    isWaiting = false;
  }
  clearInterval(timer);
  expect(ticked, 'a timer while work is waited for').toBe(true);
});

test('many waits at once', async () => {
  using queue = sycl.createQueue();
  await Promise.all(Array.from({ length: 500 }, () => queue.synchronize()));
});

test('an aborted wait is an AbortError, and the work goes on', async () => {
  using queue = sycl.createQueue();
  await occupy(queue);
  const controller = new AbortController();
  const waiting = queue.synchronize({ signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  queue.synchronizeSync();
  expect(queue.query()).toBe(true);
});

test('an event or queue of another backend', async () => {
  using queue = sycl.createQueue();
  using array = sycl.empty([1], 'uint8');
  const event: QueueEvent = {
    query: () => true,
    synchronize: async () => {},
    synchronizeSync: () => {},
  };
  await refused('ERR_ARGUMENT', () => queue.wait(event));
  const other = { disposed: false, device: 0, assertLive: () => {} } as never;
  await refused('ERR_ARGUMENT', () => sycl.empty([1], 'uint8', { queue: other }));
  await refused('ERR_ARGUMENT', () => sycl.createQueue({ device: 5 }));
  expect(array.shape).toEqual([1]);
});

test('a disposed queue', async () => {
  const queue = sycl.createQueue();
  const other = sycl.createQueue();
  const event = other.record();
  queue[Symbol.dispose]();
  queue[Symbol.dispose]();
  await refused('ERR_DISPOSED', () => queue.record());
  await refused('ERR_DISPOSED', () => queue.wait(event));
  await refused('ERR_DISPOSED', () => queue.query());
  await refused('ERR_DISPOSED', () => queue.synchronize());
  await refused('ERR_DISPOSED', () => queue.synchronizeSync());
  await refused('ERR_DISPOSED', () => queue.isSame(other));
  await refused('ERR_DISPOSED', () => queue._get_capsule());
  await refused('ERR_DISPOSED', () => sycl.empty([1], 'uint8', { queue }));
  other[Symbol.dispose]();
  expect(event.query()).toBe(true);
});
