import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { childAnswer } from '../support/child.js';
import { holdDevice } from '../support/held-device.js';

// Another library keeps the device busy, as a training step or a persistent kernel does. What the driver
// lets wait for the whole device (cuMemFree and its like) waits until that has ended, and nothing else does.

const MIB = 1 << 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const allGone = () => vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);

/** One array after another: used, waited for, disposed. */
async function useArrays(count: number, byteLength: (index: number) => number): Promise<void> {
  for (let i = 0; i < count; i++) {
    using array = cuda.empty([byteLength(i)], 'uint8');
    await cuda.fill(array, 1);
    await array.synchronize();
  }
}

test('freed arrays are gone, also one that was never disposed', async () => {
  using held = holdDevice(0);
  const forget = () => {
    cuda.empty([16], 'uint8');
  };
  forget();
  await useArrays(50, () => MIB);
  await vi.waitFor(() => {
    collect();
    expect(liveAllocations()).toBe(0);
  }, 100_000);
  held[Symbol.dispose]();
});

test('staging memory is reused: sixty uploads need no more pinned memory than on an idle device', async () => {
  using array = cuda.empty([4 * MIB], 'uint8');
  const bytes = new Uint8Array(4 * MIB);
  using held = holdDevice(0);
  cuda.empty([1], 'uint8')[Symbol.dispose]();
  void cuda.releaseCached(); // which the device holds up
  let most = 0;
  for (let i = 0; i < 60; i++) {
    await cuda.copy(array, bytes);
    await array.synchronize();
    const { allocations, cached: kept } = addon().liveCounts();
    most = Math.max(most, allocations + kept);
    await pause(2);
  }
  // Sixty if none were reused; on a busy machine they are freed later than on an idle one.
  expect(most).toBeLessThan(30);
  held[Symbol.dispose]();
});

test('memory that is being released does not delay memory that can be reused', async () => {
  using held = holdDevice(0);
  // More than is cached: some is freed by the driver, which waits.
  await useArrays(6, (i) => (150 + i) * MIB);
  await useArrays(50, () => MIB);
  await vi.waitFor(() => expect(addon().liveCounts().cached).toBeGreaterThan(0), 100_000);
  expect(liveAllocations()).toBeLessThan(10);
  held[Symbol.dispose]();
  await allGone();
});

test('releaseCached settles when the driver has the cached memory back', async () => {
  await useArrays(3, () => MIB);
  await allGone(); // none comes later
  using held = holdDevice(0);
  expect(addon().liveCounts().cached).toBeGreaterThan(0);
  let isSettled = false;
  const released = cuda.releaseCached().then(() => {
    isSettled = true;
  });
  await pause(50);
  expect(isSettled).toBe(false);
  expect(addon().liveCounts().cached).toBe(0);
  held[Symbol.dispose]();
  await released;
  expect(liveAllocations()).toBe(0);
});

interface Full {
  readonly ticks: number;
  readonly error: { readonly code: string; readonly message: string };
  readonly took: number;
  readonly value: number;
  readonly waited: boolean;
}

test('a full device: empty waits at most a second, a promise as long as it takes', async () => {
  const found = await childAnswer<Full>(
    `import { createRequire } from 'node:module';
    import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
    import { cuda } from '@array-interface/cuda';
    const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
    const MIB = 1 << 20;
    let ticks = 0;
    const tick = () => ticks++;
    cuda.devices();
    probe.makeCurrent(0);
    const foreign = probe.createStream();
    const release = probe.hold(foreign);
    const clock = setInterval(tick, 10);
    for (const size of [40, 41]) {
      const array = cuda.empty([size * MIB], 'uint8');
      await cuda.fill(array, 1);
      await array.synchronize();
      array[Symbol.dispose]();
      await pause(20);
    }
    const start = performance.now();
    let error = null;
    try { cuda.empty([90 * MIB], 'uint8'); } catch ({ code, message }) { error = { code, message }; }
    const took = performance.now() - start;
    await pause(20);
    let waited = true;
    const wait = cuda.array(new Uint8Array(90 * MIB).fill(3)).then((array) => ((waited = waited && !held), array));
    let held = true;
    ticks = 0;
    await pause(1500);
    const counted = ticks;
    held = false;
    release();
    const array = await wait;
    clearInterval(clock);
    const [value] = await cuda.toTypedArray(array.slice([[0, 1]]));
    console.log(JSON.stringify({ ticks: counted, error, took, value, waited }));`,
    { CUDA_SIMULATOR_MEMORY_MB: '100' },
  );
  expect(found.error.code).toBe('ERR_OUT_OF_MEMORY');
  expect(found.error.message).toContain(`${90 * MIB} bytes`);
  expect(found.error.message).toMatch(/\d{8} bytes are still pending/);
  expect(found.took).toBeGreaterThan(900);
  // The promise does not block the event loop: a timer fires while it waits.
  expect(found.ticks).toBeGreaterThan(0);
  expect(found).toMatchObject({ value: 3, waited: true });
});

test('a view that is made for a call and dropped keeps nothing', async () => {
  const count = await childAnswer<number>(
    `import { cuda } from '@array-interface/cuda';
    let i = 0;
    for (; i < 12; i++) {
      const array = cuda.empty([40 << 20], 'uint8');
      await cuda.fill(array.slice([[0, 16]]), 7);
      array[Symbol.dispose]();
    }
    console.log(JSON.stringify(i));`,
    { CUDA_SIMULATOR_MEMORY_MB: '101' },
  );
  expect(count).toBe(12);
});

test('the process ends, and does not wait for another library’s work', async () => {
  // It holds for ever: a process that waited would have to be killed, and childAnswer says so.
  await childAnswer(
    `import { createRequire } from 'node:module';
    import { cuda } from '@array-interface/cuda';
    const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
    await cuda.array(new Uint8Array(100));
    probe.makeCurrent(0);
    probe.hold(probe.createStream());
    const registered = cuda.register(new Uint8Array(new SharedArrayBuffer(64)));
    await cuda.fill(registered, 1);
    console.log('1');`,
  );
});
