import { setTimeout as pause } from 'node:timers/promises';
import { cuda, liveAllocations, type Ticket } from '@array-interface/cuda';
import { describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { childAnswer } from '../support/child.js';
import { forProcesses } from '../support/for-processes.js';
import { hold } from '../support/hold.js';
import { OtherProcess } from '../support/other-process.js';
import { probe } from '../support/probe.js';

const allGone = () => vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);

const WAITS = ['cuStreamSynchronize', 'cuEventSynchronize', 'cuCtxSynchronize'];
const waits = () => WAITS.map((name) => probe.calls(name));

describe('memory that is freed while work on it is pending', () => {
  test('stays until that has ended, and blocks nobody', async () => {
    using stream = cuda.createStream();
    const array = cuda.empty([100], 'uint8', { queue: stream });
    probe.makeCurrent(0);
    const release = probe.hold(stream.handle); // lazily, a dozen queries of one event make its work run
    void cuda.fill(array, 1);
    array[Symbol.dispose]();
    const before = waits();
    await pause(20);
    expect(stream.query()).toBe(false);
    expect(liveAllocations()).toBe(2); // and the staging
    expect(waits()).toEqual(before);
    release();
    await stream.synchronize();
    await allGone();
  });

  test('is polled although nobody waits', async () => {
    using stream = cuda.createStream();
    const array = cuda.empty([100], 'uint8', { queue: stream });
    {
      using _held = hold(stream);
      void cuda.fill(array, 1);
      array[Symbol.dispose]();
    }
    await vi.waitFor(() => expect(liveAllocations()).toBe(0), { timeout: 100_000, interval: 100 });
  });

  test('is freed in any order: the first one delays no other', async () => {
    using slow = cuda.createStream();
    using quick = cuda.createStream();
    const arrays = [slow, quick].map((queue) => cuda.empty([100], 'uint8', { queue }));
    probe.makeCurrent(0);
    const release = probe.hold(slow.handle);
    for (const array of arrays) void cuda.fill(array, 1);
    for (const array of arrays) array[Symbol.dispose]();
    await quick.synchronize();
    await vi.waitFor(() => expect(liveAllocations()).toBe(2), 100_000);
    expect(slow.query()).toBe(false);
    release();
    await slow.synchronize();
    await allGone();
  });
});

describe('cached memory', () => {
  test.each(['device', 'shared', 'host'] as const)('is reused: %s', async (memoryKind) => {
    await cuda.releaseCached();
    const name = { device: 'cuMemAlloc', shared: 'cuMemAllocManaged', host: 'cuMemHostAlloc' };
    const before = probe.calls(name[memoryKind]);
    const pointers = new Set<bigint>();
    for (let i = 0; i < 20; i++) {
      using array = cuda.empty([50_000], 'uint8', { memoryKind });
      pointers.add(array.pointer);
    }
    expect(pointers.size).toBe(1);
    expect(probe.calls(name[memoryKind]) - before).toBe(1);
    expect(addon().liveCounts().cached).toBe(1);
    await cuda.releaseCached();
    expect(addon().liveCounts().cached).toBe(0);
    expect(cuda.inspectPointer([...pointers][0] as bigint).memoryKind).toBe('unknown');
  });

  test('staging memory has a few common sizes', async () => {
    await cuda.releaseCached();
    using array = cuda.empty([60_000], 'uint8');
    const before = probe.calls('cuMemHostAlloc');
    for (let i = 0; i < 20; i++) {
      await cuda.copy(array.slice([[0, 50_000 + i]]), new Uint8Array(50_000 + i));
      await array.synchronize();
      await vi.waitFor(() => expect(liveAllocations()).toBe(1), 100_000);
    }
    expect(probe.calls('cuMemHostAlloc') - before).toBe(1);
  });

  test('is at most an eighth of the device', async () => {
    const kept = await childAnswer<number>(
      `import { cuda } from '@array-interface/cuda';
      import { native } from './test/support/native.mjs';
      const arrays = Array.from({ length: 64 }, () => cuda.empty([4 << 20], 'uint8'));
      for (const array of arrays) array[Symbol.dispose]();
      console.log(JSON.stringify(native.liveCounts().cached));`,
      { CUDA_SIMULATOR_MEMORY_MB: '800' },
    );
    expect(kept).toBe(25);
  });

  test('is freed first if the device has no more, also for a pool', async () => {
    for (const options of ['{}', '{ pool: cuda.createPool() }']) {
      const values = await childAnswer<number[]>(
        `import { cuda } from '@array-interface/cuda';
        const options = ${options};
        for (let i = 0; i < 5; i++) {
          const array = cuda.empty([(5 << 20) + i * 1024], 'uint8');
          cuda.fill(array, i);
          array[Symbol.dispose]();
        }
        const array = cuda.empty([6 << 20], 'uint8', options);
        await cuda.fill(array, 9);
        console.log(JSON.stringify([...await cuda.toTypedArray(array.slice([[0, 3]]))]));`,
        { CUDA_SIMULATOR_MEMORY_MB: '8' },
      );
      expect(values).toEqual([9, 9, 9]);
    }
  });

  test('is never memory that was shared with other processes', async () => {
    await cuda.releaseCached();
    const array = cuda.empty([100], 'uint8');
    forProcesses(array);
    array[Symbol.dispose]();
    await allGone();
    expect(addon().liveCounts().cached).toBe(0);
  });

  test('is never memory that another process has open, until that has closed it', async () => {
    await using sharer = new OtherProcess({ CUDA_SIMULATOR_MEMORY_MB: '8' });
    const empty = "state.array = cuda.empty([6 << 20], 'uint8');";
    const ticket = await sharer.run<Ticket>(`${empty} return forProcesses(state.array);`);
    const opened = cuda.openShared(ticket);
    await sharer.run('state.array[Symbol.dispose]();');
    await pause(1600); // polls have become rare
    opened[Symbol.dispose]();
    await vi.waitFor(() => expect(liveAllocations()).toBe(0), { interval: 1, timeout: 100_000 });
    await sharer.run(`${empty} await cuda.fill(state.array, 1);`);
  });

  test('is not waited for while another process has it open', async () => {
    await using sharer = new OtherProcess({ CUDA_SIMULATOR_MEMORY_MB: '8' });
    const empty = "state.array = cuda.empty([6 << 20], 'uint8');";
    const ticket = await sharer.run<Ticket>(`${empty} return forProcesses(state.array);`);
    using _opened = cuda.openShared(ticket);
    await sharer.run('state.array[Symbol.dispose]();');
    const code = await sharer.run(
      "return cuda.array(new Uint8Array(6 << 20)).then(() => 'none', ({ code }) => code);",
    );
    expect(code).toBe('ERR_OUT_OF_MEMORY');
  });
});
