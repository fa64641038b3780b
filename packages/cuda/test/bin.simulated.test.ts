import { setTimeout as pause } from 'node:timers/promises';
import { cuda, liveAllocations, type Ticket } from '@array-interface/cuda';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { driver } from '../src/driver.js';
import type { Addon } from '../src/native.js';
import { childAnswer } from './child.js';
import { hold } from './hold.js';
import { OtherProcess } from './other-process.js';

// Memory that was given back while work on it was pending.

describe('the bin', () => {
  let native: Addon;

  beforeAll(() => {
    native = driver();
  });

  test('waits for the work without making it run', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([100], 'uint8', { queue: stream });
    await cuda.synchronize();
    const before = liveAllocations();
    const staging = native.allocate(0, 'staging', 100);
    const memory = native.allocate(0, 'device', 100);
    using held = hold(stream);
    void cuda.fill(array, 1);
    const event = stream.record();
    native.free(staging.handle, event.handle);
    native.free(memory.handle, event.handle);
    await pause(100);
    expect(stream.query()).toBe(false);
    expect(liveAllocations()).toBeGreaterThan(before + 1);
    held[Symbol.dispose]();
    await stream.synchronize();
    await array.synchronize();
    await vi.waitFor(() => expect(liveAllocations()).toBe(before), 10_000);
  });

  test('looks again by itself when nobody waits', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([100], 'uint8', { queue: stream });
    await cuda.synchronize();
    const memory = native.allocate(0, 'device', 100);
    using held = hold(stream);
    void cuda.fill(array, 1);
    native.free(memory.handle, stream.record().handle);
    const kind = () => cuda.inspectPointer(memory.pointer).memoryKind;
    expect(kind()).toBe('device');
    held[Symbol.dispose]();
    await vi.waitFor(() => expect(kind()).toBe('unknown'), { timeout: 20_000, interval: 100 });
  }, 30_000);

  test('keeps staging for the next, and memory of arrays not', async () => {
    const stagings = new Set<bigint>();
    for (let i = 0; i < 20; i++) {
      const { handle, pointer } = native.allocate(0, 'staging', 50_000 + i);
      stagings.add(pointer);
      native.free(handle);
      await pause(5);
    }
    expect(stagings.size).toBeLessThan(20);
    const { handle, pointer } = native.allocate(0, 'host', 50_000);
    native.free(handle);
    await vi.waitFor(() => expect(cuda.inspectPointer(pointer).memoryKind).toBe('unknown'), 10_000);
  });

  test('goes first when the device has no more memory', async () => {
    const values = await childAnswer<number[]>(
      `import { cuda } from '@array-interface/cuda';
      for (let i = 0; i < 5; i++) {
        const array = cuda.empty([6 << 20], 'uint8');
        cuda.fill(array, i);
        array[Symbol.dispose]();
      }
      const array = cuda.empty([6 << 20], 'uint8');
      await cuda.fill(array, 9);
      console.log(JSON.stringify([...await cuda.toTypedArray(array.slice([[0, 3]]))]));`,
      { CUDA_SIMULATOR_MEMORY_MB: '8' },
    );
    expect(values).toEqual([9, 9, 9]);
  });

  test('also for memory of a pool', async () => {
    const values = await childAnswer<number[]>(
      `import { cuda } from '@array-interface/cuda';
      const pool = cuda.createPool();
      const gone = cuda.empty([6 << 20], 'uint8');
      cuda.fill(gone, 1);
      gone[Symbol.dispose]();
      const array = cuda.empty([6 << 20], 'uint8', { pool });
      await cuda.fill(array, 9);
      console.log(JSON.stringify([...await cuda.toTypedArray(array.slice([[0, 3]]))]));`,
      { CUDA_SIMULATOR_MEMORY_MB: '8' },
    );
    expect(values).toEqual([9, 9, 9]);
  });

  test('looks once more at memory whose openers have left', async () => {
    await using sharer = new OtherProcess({ CUDA_SIMULATOR_MEMORY_MB: '8' });
    const empty = "state.array = cuda.empty([6 << 20], 'uint8');";
    const ticket = await sharer.run<Ticket>(`${empty} return cuda.share(state.array);`);
    const before = liveAllocations();
    const opened = cuda.openShared(ticket);
    await sharer.run('state.array[Symbol.dispose]();');
    await pause(1600); // looks have become rare
    opened[Symbol.dispose]();
    await vi.waitFor(() => expect(liveAllocations()).toBe(before), {
      interval: 1,
      timeout: 10_000,
    });
    await sharer.run(`${empty} await cuda.fill(state.array, 1);`);
  });
});
