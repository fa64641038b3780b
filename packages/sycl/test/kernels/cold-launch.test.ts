import { arrayCapsule } from '@array-interface/core/backend';
import { defineKernel } from '@array-interface/core/kernel';
import { type SyclArray, type SyclQueue, sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';
import { twice as twiceRows } from './twice.kernel.js';

// What cannot wait while a kernel is built, and what has another name; the contract has the rest.

const ASKED = /^expected work that is already enqueued.*await the launch/;
const LENGTH = 100;
const full = (value: number) => new Float32Array(LENGTH).fill(value);
const twice = () => defineKernel(twiceRows);

/** Asks for a first launch, and for more before its kernel is built. */
async function whileBuilt(
  work: (at: SyclArray & Disposable, queue: SyclQueue) => Promise<void> | void,
  kernel = twice(),
): Promise<unknown> {
  using queue = sycl.createQueue();
  using at = await sycl.array(full(1));
  const values = { at, n: LENGTH, room: 64 };
  const launched = sycl.launch(kernel, { range: [LENGTH], group: [64], queue }, values);
  launched.catch(() => {});
  await work(at, queue);
  await Promise.allSettled([launched]);
  return sycl.toTypedArray(at);
}

describe.each<[string, (at: SyclArray, queue: SyclQueue) => unknown]>([
  ['a dict', (at) => at.__sycl_usm_array_interface__],
  ['the dict of a view', (at) => at.slice([0]).__sycl_usm_array_interface__],
  ['a capsule', (at) => at[arrayCapsule]()],
  ['an event', (_, queue) => queue.record()],
  ['a blocking wait', (_, queue) => queue.synchronizeSync()],
  [
    'the dict of a loan',
    (at) => {
      using loan = sycl.asArray(at);
      return loan.__sycl_usm_array_interface__;
    },
  ],
  [
    'an event of another object for the queue',
    (_, queue) => {
      using same = sycl.asQueue({ _get_capsule: () => queue._get_capsule() });
      expect(same).not.toBe(queue);
      return same.record();
    },
  ],
])('%s', (_, ask) => {
  test.each<[string, (at: SyclArray, queue: SyclQueue) => Promise<void>]>([
    ['the array', (at) => at.synchronize()],
    ['the queue', (_, queue) => queue.synchronize()],
    ['the backend', () => sycl.synchronize()],
    ['the kernels', () => sycl.whenKernelsReady()],
  ])('is refused, and succeeds after %s is awaited', async (_, wait) => {
    const result = await whileBuilt(async (at, queue) => {
      expect(queue.query()).toBe(false);
      const { reason } = await refused('ERR_PENDING', () => ask(at, queue));
      expect(reason).toMatch(ASKED);
      await wait(at, queue);
      ask(at, queue);
    });
    expect(result).toEqual(full(2));
  });

  test('succeeds if the build has failed', async () => {
    const code = { sycl: { ...twiceRows.code.sycl, function: 'thrice' } };
    const result = await whileBuilt(
      async (at, queue) => {
        await refused('ERR_PENDING', () => ask(at, queue));
        await at.synchronize();
        ask(at, queue);
      },
      defineKernel({ ...twiceRows, code }) as never,
    );
    expect(result).toEqual(full(1));
  });
});

test('the queue in the array’s dict is refused as well', async () => {
  const at = await sycl.array(full(1));
  const queue = at.__sycl_usm_array_interface__.syclobj as SyclQueue;
  const launched = sycl.launch(
    twice(),
    { range: [LENGTH], group: [64] },
    { at, n: LENGTH, room: 64 },
  );
  await refused('ERR_PENDING', () => queue.record());
  await queue.synchronize();
  queue.record();
  expect(await sycl.toTypedArray(at)).toEqual(full(2));
  await launched;
  at[Symbol.dispose]();
});

test('arrays and queues that the launch does not touch are exported as always', async () => {
  using other = await sycl.array(full(7));
  using queue = sycl.createQueue();
  const result = await whileBuilt(() => {
    void sycl.fill(other, 8);
    expect(other.__sycl_usm_array_interface__.syclobj).toBeTruthy();
    queue.wait(queue.record());
    queue.synchronizeSync();
  });
  expect(result).toEqual(full(2));
});
