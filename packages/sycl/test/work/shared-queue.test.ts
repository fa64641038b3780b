import type { OwnedArray } from '@array-interface/core';
import { type SyclArray, type SyclQueue, sycl } from '@array-interface/sycl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dpctl } from '../support/other-library.js';

// Copies of 64 MiB: long enough that work that does not wait for them comes first.
const SIZE = 2 ** 24;
let source: OwnedArray<SyclArray>;
beforeAll(async () => {
  source = await sycl.array(new Float32Array(SIZE).fill(1));
  await source.synchronize();
});
afterAll(() => source[Symbol.dispose]());

/** Copies `source` on the queue that a capsule names, as another library would. */
function copyElsewhere(pointer: bigint, destination: SyclArray, times: number): void {
  const queue = dpctl('Queue_Copy', pointer);
  for (let left = times; left > 0; left--) {
    const size = BigInt(4 * SIZE);
    dpctl('Event_Delete', dpctl('Queue_Memcpy', queue, destination.pointer, source.pointer, size));
  }
  dpctl('Queue_Delete', queue);
}

/** Leaves zeros, whose last work was on `queue` and has ended. */
async function clear(array: SyclArray, queue: SyclQueue): Promise<void> {
  await sycl.fill(array, 0, { queue });
  queue.synchronizeSync();
}

/** Settles when the queue says so, however busy the machine is. */
async function isIdle(queue: SyclQueue): Promise<void> {
  await expect.poll(() => queue.query(), { timeout: 100_000 }).toBe(true);
}

/** An event after work, and whether it was complete at a time when the queue was still busy. */
function pointBehindWork(queue: SyclQueue, enqueue: () => void) {
  while (true) {
    enqueue();
    const end = queue.record();
    const isReached = end.query();
    if (!queue.query()) return { end, isReached };
  }
}

describe.each([{ inOrder: true }, { inOrder: false }])('a queue with %o', (options) => {
  test('our work starts after what another library enqueued', async () => {
    using queue = sycl.createQueue(options);
    using array = sycl.empty([SIZE], 'float32', { queue });
    const last = array.slice([[SIZE - 16, null]]);
    using target = sycl.empty([16], 'float32', { queue });
    const { pointer } = queue._get_capsule();
    // The device may begin ours late on its own account: so several times.
    for (let i = 0; i < 5; i++) {
      await clear(array, queue);
      copyElsewhere(pointer, array, 1);
      await sycl.copy(target, last);
      expect([...(await sycl.toTypedArray(target))]).toEqual(Array(16).fill(1));
    }
  });

  test('is not idle while another library’s work runs there', async () => {
    using queue = sycl.createQueue(options);
    using array = sycl.empty([SIZE], 'float32', { queue });
    await clear(array, queue);
    expect(queue.query()).toBe(true);
    const { pointer } = queue._get_capsule();
    await isIdle(queue);
    // Before any query of the queue, which would poll the work there.
    const { end, isReached } = pointBehindWork(queue, () => copyElsewhere(pointer, array, 32));
    expect(isReached).toBe(false);
    await isIdle(queue);
    expect(end.query()).toBe(true);
  });
});
