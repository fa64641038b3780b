import { cuda, liveAllocations, type Stream } from '@array-interface/cuda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { childAnswer, runChild } from '../support/child.js';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { refused } from '../support/refused.js';
import { Stranger } from '../support/stranger.js';

// A driver that fails to report whether work has ended, or to create an event for it: the work may
// still be pending, so its memory stays allocated.

const LENGTH = 1 << 16;

const kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

afterEach(async () => {
  probe.fail('');
  for (const one of kept.splice(0).reverse()) one[Symbol.dispose]();
  await cuda.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
});

/** An array of one value, whose work has ended; no event is free. */
async function filled(value: number, queue: Stream) {
  const array = cuda.empty([LENGTH], 'uint8', { queue });
  await cuda.fill(array, value);
  await cuda.synchronize();
  await cuda.releaseCached();
  return array;
}

/** Fills the next array of that size on another stream, and returns its values after all work. */
async function nextArray(first: Stream, held?: Disposable) {
  const next = keep(cuda.empty([LENGTH], 'uint8', { queue: keep(cuda.createStream()) }));
  await cuda.fill(next, 7);
  await next.synchronize();
  held?.[Symbol.dispose]();
  first.synchronizeSync();
  return {
    pointer: next.pointer,
    values: [...new Set((await cuda.toTypedArray(next)) as Uint8Array)],
  };
}

describe('work without an event', () => {
  test.each([
    'cuEventCreate:*:OUT_OF_MEMORY',
    'cuEventRecord:*:UNKNOWN',
    'cuEventRecord:*:UNKNOWN,cuStreamSynchronize:*:UNKNOWN',
  ])('has its memory: %s', async (fault) => {
    const stream = keep(cuda.createStream());
    const source = keep(await filled(1, stream));
    const target = await filled(2, stream);
    probe.fail(fault);
    const code = fault.includes('MEMORY') ? 'ERR_OUT_OF_MEMORY' : 'ERR_CUDA';
    const error = await refused(() => cuda.copy(target, source), code);
    expect(error.call).toBe(fault.split(':')[0]);
    target[Symbol.dispose]();
    probe.fail('');
    expect((await nextArray(stream)).values).toEqual([7]);
  });

  test('is waited for by later work, which is refused until that is possible', async () => {
    const stream = keep(cuda.createStream());
    const other = keep(cuda.createStream());
    const source = keep(await filled(1, stream));
    const target = keep(await filled(2, stream));
    probe.fail('cuEventRecord:*:UNKNOWN,cuStreamSynchronize:*:UNKNOWN');
    const held = keep(hold(stream));
    await refused(() => cuda.copy(target, source), 'ERR_CUDA');
    const later = await refused(() => cuda.fill(target, 3, { queue: other }), 'ERR_CUDA');
    expect(later.call).toBe('cuEventRecord');
    probe.fail('');
    await cuda.fill(target, 3, { queue: other });
    held[Symbol.dispose]();
    await target.synchronize();
    stream.synchronizeSync();
    expect([...new Set((await cuda.toTypedArray(target, { queue: other })) as Uint8Array)]).toEqual(
      [3],
    );
  });
});

describe('an event whose state the driver does not tell', () => {
  test.each([
    'cuEventQuery:1:OUT_OF_MEMORY',
    'cuEventQuery:*:NOT_PERMITTED',
    'cuEventQuery:*:UNKNOWN',
  ])('keeps the memory: %s', async (fault) => {
    const stream = keep(cuda.createStream());
    const source = keep(await filled(1, stream));
    const target = await filled(2, stream);
    const { pointer } = target;
    const held = keep(hold(stream));
    await cuda.copy(target, source);
    probe.fail(fault);
    const before = probe.calls('cuEventQuery');
    target[Symbol.dispose]();
    await vi.waitFor(() => expect(probe.calls('cuEventQuery')).toBeGreaterThan(before), 100_000);
    probe.fail('');
    const next = await nextArray(stream, held);
    expect(next.values).toEqual([7]);
    expect(next.pointer).not.toBe(pointer);
  });

  test('rejects those who wait, once, and later waits try again', async () => {
    const stream = keep(cuda.createStream());
    const array = keep(await filled(1, stream));
    for (const wait of [() => array.synchronize(), () => cuda.synchronize()]) {
      const held = keep(hold(stream));
      await cuda.fill(array, 2);
      probe.fail('cuEventQuery:*:NOT_PERMITTED');
      expect((await refused(wait, 'ERR_CUDA')).call).toBe('cuEventQuery');
      probe.fail('');
      const again = wait();
      held[Symbol.dispose]();
      await again;
      expect(stream.query()).toBe(true);
    }
  });

  test('is not a failure of its work: later work is done', async () => {
    const stream = keep(cuda.createStream());
    const array = keep(await filled(1, stream));
    await cuda.fill(array, 2);
    const event = stream.record();
    probe.fail('cuEventQuery:*:NOT_PERMITTED');
    expect(() => event.query()).toThrow(expect.objectContaining({ code: 'ERR_CUDA' }));
    probe.fail('cuEventSynchronize:*:NOT_PERMITTED');
    expect(() => event.synchronizeSync()).toThrow(expect.objectContaining({ code: 'ERR_CUDA' }));
    probe.fail('');
    event.synchronizeSync();
    expect(event.query()).toBe(true);
    expect((await cuda.toTypedArray(array))[0]).toBe(2);
  });
});

test('a named stream that gets no event for a long while keeps the memory', async () => {
  const stream = keep(cuda.createStream());
  const array = await filled(5, stream);
  const { pointer } = array;
  using stranger = new Stranger(LENGTH);
  const held = keep(hold({ device: 0, handle: stranger.stream }));
  stranger.read(array);
  probe.fail('cuEventCreate:*:OUT_OF_MEMORY');
  const before = probe.calls('cuEventCreate');
  array[Symbol.dispose]();
  // Longer than any number of polls after which the backend might give up.
  const looks = () => probe.calls('cuEventCreate') - before;
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(12), { timeout: 100_000, interval: 50 });
  probe.fail('');
  const other = keep(cuda.createStream());
  const next = keep(cuda.empty([LENGTH], 'uint8', { queue: other }));
  expect(next.pointer).not.toBe(pointer);
  await cuda.fill(next, 9);
  await next.synchronize();
  held[Symbol.dispose]();
  expect(stranger.value).toBe(5);
});

test('an array does not wait for memory whose state the driver does not tell', async () => {
  const code = await childAnswer<string>(
    `import { createRequire } from 'node:module';
    import { cuda } from '@array-interface/cuda';
    const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
    const size = 3 << 20;
    const array = await cuda.array(new Uint8Array(size));
    await array.synchronize();
    const filling = cuda.fill(array, 1);
    probe.fail('cuEventQuery:*:NOT_PERMITTED');
    array[Symbol.dispose]();
    await filling;
    let code = 'none';
    try { await cuda.array(new Uint8Array(size)); } catch (error) { code = error.code; }
    console.log(JSON.stringify(code));`,
    { CUDA_SIMULATOR_MEMORY_MB: '5' },
  );
  expect(code).toBe('ERR_OUT_OF_MEMORY');
});

describe('an end while the driver does not answer', () => {
  test('of the process', async () => {
    const { status, signal } = await runChild(
      `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      const array = cuda.empty([100], 'uint8');
      await cuda.fill(array, 1);
      void array.__cuda_array_interface__;
      probe.fail('cuEventQuery:*:NOT_PERMITTED,cuEventRecord:*:NOT_PERMITTED');
      array[Symbol.dispose]();`,
    );
    expect({ status, signal }).toEqual({ status: 0, signal: null });
  });

  test('of a worker that registered its memory', async () => {
    const { status, signal } = await runChild(
      `import { createRequire } from 'node:module';
      import { Worker } from 'node:worker_threads';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      cuda.devices();
      const worker = new Worker(\`
        const { parentPort } = require('node:worker_threads');
        import('@array-interface/cuda').then(async ({ cuda }) => {
          const array = cuda.register(new Uint8Array(new SharedArrayBuffer(64)));
          await cuda.fill(array, 1);
          void array.__cuda_array_interface__;
          parentPort.postMessage('ready');
          setInterval(() => {}, 1000);
        });\`, { eval: true, execArgv: [] });
      await new Promise((resolve) => worker.once('message', resolve));
      probe.fail('cuEventQuery:*:NOT_PERMITTED,cuEventRecord:*:NOT_PERMITTED,cuMemHostUnregister:*:NOT_PERMITTED');
      await worker.terminate();`,
    );
    expect({ status, signal }).toEqual({ status: 0, signal: null });
  });
});
