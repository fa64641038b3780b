import type { OwnedArray } from '@array-interface/core';
import { type CudaArray, cuda, liveAllocations } from '@array-interface/cuda';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { forProcesses } from '../support/for-processes.js';
import { OtherProcess } from '../support/other-process.js';
import { probe } from '../support/probe.js';

// Whatever waits for memory that processes share waits for the work of all of them: the bytes are looked
// at without any order, once it has waited.

const LENGTH = 24;

let other: OtherProcess;
let array: OwnedArray<CudaArray>;

beforeAll(() => {
  other = new OtherProcess();
});
afterAll(() => other[Symbol.asyncDispose]());
beforeEach(async () => {
  array = await cuda.array(new Uint8Array(LENGTH));
  await other.run('state.array = cuda.openShared(value);', forProcesses(array));
});
afterEach(async () => {
  await other.run('state.array[Symbol.dispose](); await cuda.synchronize();');
  array[Symbol.dispose]();
  await cuda.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
});

/** What is in the memory now, whoever works on it. */
function bytes(): number[] {
  probe.makeCurrent(0);
  return [...new Set(probe.readBytes(array.pointer, LENGTH))];
}

const WAITS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['synchronize', () => array.synchronize()],
  ['settle', () => cuda.settle(array)],
  ['toTypedArray', () => cuda.toTypedArray(array)],
  ['toText', () => array.toText()],
  ['toNested', () => array.toNested()],
  ['item', () => array.slice([[0, 1]]).item()],
  ['a download', () => cuda.copy(new Uint8Array(LENGTH), array)],
  ['a view’s synchronize', () => array.flip().synchronize()],
  [
    'a loan’s synchronize',
    async () => {
      using loan = cuda.asArray(array);
      await loan.synchronize();
    },
  ],
  [
    'a copy that is waited for',
    async () => {
      using queue = cuda.createStream();
      using target = cuda.empty([LENGTH], 'uint8');
      await cuda.copy(target, array, { queue });
      await queue.synchronize();
    },
  ],
  [
    'the queue of a use',
    async () => {
      using queue = cuda.createStream();
      await cuda.use(queue, { reads: [array] }, () => {});
      await queue.synchronize();
    },
  ],
  [
    'the stream of the dict',
    async () => {
      const { stream } = array.__cuda_array_interface__;
      probe.makeCurrent(0);
      probe.synchronizeStream(stream as bigint);
    },
  ],
];

test.each(WAITS)('%s waits for work of another process', async (_, wait) => {
  for (const value of [3, 4]) {
    await other.run('void cuda.fill(state.array, value);', value);
    await wait();
    expect(bytes()).toEqual([value]);
  }
});

test.each([
  ['synchronize', 'await state.array.synchronize();'],
  ['settle', 'await cuda.settle(state.array);'],
  ['toTypedArray', 'await cuda.toTypedArray(state.array);'],
  ['toText', 'await state.array.toText();'],
  ['a copy', 'await cuda.copy(new Uint8Array(24), state.array);'],
])('%s there waits for our work', async (_, wait) => {
  for (const value of [5, 6]) {
    void cuda.fill(array, value);
    await other.run(wait);
    expect(bytes()).toEqual([value]);
  }
});
