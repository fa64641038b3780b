import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

// Two devices of which neither reaches the other's memory.

const NO_PEERS = { CUDA_SIMULATOR_PEERS: '0' };

describe('devices that are not peers', () => {
  test('copy any layout between them, on any stream', async () => {
    const found = await childAnswer<number[][]>(
      `import { cuda } from '@array-interface/cuda';
      const values = Float32Array.from({ length: 24 }, (_, i) => i);
      const found = [];
      for (const [from, to] of [[0, 1], [1, 0]]) {
        const source = await cuda.array(values, { device: from });
        const target = cuda.empty([24], 'float32', { device: to });
        for (const device of [undefined, 0, 1]) {
          const options = device === undefined ? {} : { queue: cuda.createStream({ device }) };
          await cuda.fill(target, -1);
          await cuda.copy(target, source, options);
          found.push([...await cuda.toTypedArray(target)]);
          void cuda.fill(source, 7, options);
          void cuda.copy(target.flip().slice([[0, 24, 2]]), source.slice([[0, 12]]), options);
          await options.queue?.synchronize();
          found.push([...await cuda.toTypedArray(target, options)]);
          await cuda.copy(source, values);
        }
      }
      console.log(JSON.stringify(found));`,
      NO_PEERS,
    );
    const values = Array.from({ length: 24 }, (_, i) => i);
    const mixed = values.map((value) => (value % 2 === 1 ? 7 : value));
    expect(found).toEqual(Array(6).fill([values, mixed]).flat());
  });

  test('have nothing in flight if a later step is refused', async () => {
    const found = await childAnswer<(string | boolean)[]>(
      `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const { driver } = cuda;
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      const source = await cuda.array(Uint8Array.of(1, 2, 3));
      await source.synchronize();
      const target = cuda.empty([3], 'uint8', { device: 1 });
      const stream = cuda.createStream({ device: 1 });
      const lent = { ...target.__cuda_array_interface__, stream: stream.handle };
      const loan = cuda.asArray({ __cuda_array_interface__: lent });
      probe.makeCurrent(1);
      probe.beginCapture(stream.handle, 2);
      const queue = cuda.createStream();
      const code = await cuda.copy(loan, source, { queue }).catch((error) => error.code);
      const found = [code, ...[0, 1].map((device) => driver.defaultQueue({ device }).query())];
      probe.endCapture(stream.handle); // nothing broke it
      const { handle } = driver.defaultQueue({ device: 1 });
      probe.beginCapture(handle, 2);
      found.push(await cuda.copy(target, source, { queue }).catch((error) => error.code));
      probe.endCapture(handle);
      console.log(JSON.stringify([...found, driver.defaultQueue({ device: 0 }).query()]));`,
      NO_PEERS,
    );
    expect(found).toEqual(['ERR_CAPTURE', true, true, 'ERR_CAPTURE', true]);
  });

  test('pools, too, and all memory is freed', async () => {
    const [values, left] = await childAnswer<[number[], number]>(
      `import { cuda, liveAllocations } from '@array-interface/cuda';
      import { setTimeout as pause } from 'node:timers/promises';
      const pool = cuda.createPool({ device: 1 });
      const source = await cuda.array(Uint8Array.of(1, 2, 3), { device: 1, pool });
      const target = cuda.empty([3], 'uint8');
      const view = source.flip();
      await cuda.copy(target, view);
      const values = [...await cuda.toTypedArray(target)];
      for (const one of [source, target]) one[Symbol.dispose]();
      await cuda.synchronize();
      for (let i = 0; i < 5000 && liveAllocations() > 0; i++) await pause(20);
      console.log(JSON.stringify([values, liveAllocations()]));`,
      NO_PEERS,
    );
    expect(values).toEqual([3, 2, 1]);
    expect(left).toBe(0);
  });

  test('copy contiguous arrays directly, however little memory is left', async () => {
    const found = await childAnswer<Readonly<Record<string, number>>>(
      `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      const size = 60 << 20;
      const source = cuda.empty([size], 'uint8');
      const target = cuda.empty([size], 'uint8', { device: 1 });
      await cuda.fill(source, 5);
      const calls = () => ['cuMemAlloc', 'cuMemcpyAsync'].map((name) => probe.calls(name));
      const before = calls();
      await cuda.copy(target, source);
      const [allocations, copies] = calls().map((count, i) => count - before[i]);
      await target.synchronize();
      const last = (await cuda.toTypedArray(target.slice([[size - 1, size]])))[0];
      console.log(JSON.stringify({ allocations, copies, last }));`,
      { ...NO_PEERS, CUDA_SIMULATOR_MEMORY_MB: '100' },
    );
    expect(found).toEqual({ allocations: 0, copies: 1, last: 5 });
  });

  test('and everything else in chunks, whose memory does not grow with the copy', async () => {
    const found = await childAnswer<Readonly<Record<string, unknown>>>(
      `import { cuda } from '@array-interface/cuda';
      const side = 12_000; // 144 million bytes on each device of 250
      const source = cuda.empty([side, side], 'uint8');
      const target = cuda.empty([side, side], 'uint8', { device: 1 });
      await cuda.fill(source, 5);
      await cuda.fill(source.slice([[1, 2]]), 6);
      await cuda.copy(target, source.transpose());
      await target.synchronize();
      const column = await cuda.toTypedArray(target.slice([[0, 3], [0, 3]]));
      console.log(JSON.stringify({ column: [...column] }));`,
      { ...NO_PEERS, CUDA_SIMULATOR_MEMORY_MB: '250' },
    );
    expect(found).toEqual({ column: [5, 6, 5, 5, 6, 5, 5, 6, 5] });
  });
});

test('peers beyond the driver’s limit are treated as none', async () => {
  const found = await childAnswer<number[]>(
    `import { cuda } from '@array-interface/cuda';
    const found = [];
    for (const options of [{}, { pool: cuda.createPool() }]) {
      const source = await cuda.array(Int16Array.of(1, 2, 3, 4), { shape: [2, 2], ...options });
      const target = cuda.empty([2, 2], 'int16', { device: 1 });
      for (let i = 0; i < 2; i++) await cuda.copy(target, source.transpose());
      found.push(...await cuda.toTypedArray(target));
    }
    console.log(JSON.stringify(found));`,
    {
      CUDA_SIMULATOR_FAIL:
        'cuCtxEnablePeerAccess:*:TOO_MANY_PEERS,cuMemPoolSetAccess:*:NOT_PERMITTED',
    },
  );
  expect(found).toEqual([1, 3, 2, 4, 1, 3, 2, 4]);
});

test('devices that another library made peers are peers', async () => {
  const found = await childAnswer<{ values: number[]; staged: number }>(
    `import { createRequire } from 'node:module';
    import { cuda } from '@array-interface/cuda';
    const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
    probe.enablePeer(0, 1);
    probe.enablePeer(1, 0);
    const source = await cuda.array(Uint8Array.of(1, 2, 3, 4));
    const target = cuda.empty([4], 'uint8', { device: 1 });
    const before = probe.live('allocations');
    await cuda.copy(target, source.flip()); // a kernel of one device reads memory of the other
    const staged = probe.live('allocations') - before;
    console.log(JSON.stringify({ values: [...await cuda.toTypedArray(target)], staged }));`,
  );
  expect(found).toEqual({ values: [4, 3, 2, 1], staged: 0 });
});

// By setting: which devices reach one another, as the driver says it of a device and of another one.
test.each([
  ['0', () => false],
  ['1', () => true],
  ['2', (device: number, other: number) => other < device],
] as const)(
  'with peers as in setting %s, a queue reaches the memory that its device does',
  async (peers, reaches) => {
    const found = await childAnswer<{ reach: string[]; values: number[][] }>(
      `import { cuda } from '@array-interface/cuda';
    const { driver } = cuda;
    const found = { reach: [], values: [] };
    for (const device of [0, 1]) {
      const queue = cuda.createStream({ device });
      for (const pool of [undefined, cuda.createPool({ device: 1 - device })]) {
        const source = await cuda.array(Uint8Array.of(1, 2, 3), { device: 1 - device, pool });
        const target = cuda.empty([3], 'uint8', { device });
        found.reach.push(driver.reach(queue, source.memory));
        await cuda.copy(target, source.flip(), { queue });
        found.values.push([...await cuda.toTypedArray(target)]);
      }
    }
    console.log(JSON.stringify(found));`,
      { CUDA_SIMULATOR_PEERS: peers },
    );
    const expected = [0, 1].map((device) => (reaches(device, 1 - device) ? 'kernels' : 'copies'));
    expect(found.reach).toEqual(expected.flatMap((one) => [one, one]));
    expect(found.values).toEqual(Array(4).fill([3, 2, 1]));
  },
);
