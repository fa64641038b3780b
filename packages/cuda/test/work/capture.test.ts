import { setTimeout as pause } from 'node:timers/promises';
import { cuda, liveAllocations, type Stream } from '@array-interface/cuda';
import { describe, expect, test, vi } from 'vitest';
import { childAnswer } from '../support/child.js';
import { isSimulated } from '../support/driver-under-test.js';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

/** A capture in a mode of the driver: 0 global, which most calls of any thread break, or 2 relaxed. */
function capture({ handle }: Stream, mode = 0): Disposable {
  probe.makeCurrent(0);
  probe.beginCapture(handle, mode);
  return { [Symbol.dispose]: () => probe.endCapture(handle) }; // fails for one that we broke
}

describe('while a stream is captured', () => {
  test.runIf(isSimulated)('arrays with work on it are not exported', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([16], 'uint8', { queue: stream });
    using _held = hold(stream);
    void cuda.fill(array, 1);
    using _captured = capture(stream);
    expect(stream.isCapturing()).toBe(true);
    const error = await refused(() => array.__cuda_array_interface__, 'ERR_CAPTURE');
    expect(error.path).toBe('stream');
  });

  test('nor borrowed from it, nor worked on by it', async () => {
    using stream = cuda.createStream();
    using array = await cuda.array(new Uint8Array(16));
    using loan = cuda.asArray(foreignProducer(array, stream));
    using _captured = capture(stream);
    await refused(() => cuda.fill(loan, 1), 'ERR_CAPTURE');
    await refused(() => cuda.toTypedArray(loan), 'ERR_CAPTURE');
    await refused(() => loan.__cuda_array_interface__, 'ERR_CAPTURE');
    await refused(() => cuda.fill(array, 1, { queue: stream }), 'ERR_CAPTURE');
    await refused(() => array.recordUse(stream), 'ERR_CAPTURE');
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(16));
  });

  test('its producer’s stream is not made to wait for a recorded use', async () => {
    using stream = cuda.createStream();
    using queue = cuda.createStream();
    using array = await cuda.array(new Uint8Array(16));
    using loan = cuda.asArray(foreignProducer(array, stream));
    const captured = capture(stream);
    await refused(() => loan.recordUse(queue), 'ERR_CAPTURE');
    captured[Symbol.dispose](); // nothing broke it
  });

  test('nor waited for by this thread', async () => {
    using stream = cuda.createStream();
    using array = await cuda.array(new Uint8Array(16));
    const producer = foreignProducer(array, stream);
    using loan = cuda.asArray(producer, { sync: 'block' });
    const captured = capture(stream);
    await refused(() => cuda.asArray(producer, { sync: 'block' }), 'ERR_CAPTURE');
    await refused(() => cuda.fill(loan, 1), 'ERR_CAPTURE');
    captured[Symbol.dispose](); // nothing broke it
    await cuda.synchronize();
  });

  test('the backend does not wait for events in the graph', async () => {
    using stream = cuda.createStream();
    using other = cuda.createStream();
    const captured = capture(stream);
    other.wait(stream.record()); // joins the capture
    stream.wait(other.record());
    await cuda.synchronize();
    captured[Symbol.dispose](); // nothing broke it
    await cuda.synchronize();
  });

  test('a copy of several steps has none in flight when it is refused', async () => {
    using stream = cuda.createStream();
    using queue = cuda.createStream();
    using records = cuda.empty([1200], 'uint8');
    await cuda.fill(records, 0);
    await records.synchronize();
    const data = [records.pointer + 4n, false];
    const layout = { typestr: '<f8', shape: [100], strides: [12], data };
    using loan = cuda.asArray(foreignProducer(records, stream, layout));
    using source = await cuda.array(new Int32Array(100).fill(7));
    await cuda.synchronize();
    const captured = capture(stream);
    await refused(() => cuda.copy(loan, source, { queue }), 'ERR_CAPTURE');
    await queue.synchronize(); // what was enqueued wrote temporaries only
    captured[Symbol.dispose](); // nothing broke it
    expect(await cuda.toTypedArray(records)).toEqual(new Uint8Array(1200));
  });

  test('nor is memory of a pool allocated in its order', async () => {
    using pool = cuda.createPool();
    using stream = cuda.createStream();
    const captured = capture(stream);
    await refused(() => cuda.empty([16], 'uint8', { pool, queue: stream }), 'ERR_CAPTURE');
    captured[Symbol.dispose](); // nothing broke it
    using array = cuda.empty([16], 'uint8', { pool, queue: stream });
    expect(array.shape).toEqual([16]);
  });

  test('memory of a pool is freed, and the stream records nothing of it', async () => {
    using pool = cuda.createPool();
    using stream = cuda.createStream();
    const array = cuda.empty([16], 'uint8', { pool, queue: stream });
    await cuda.fill(array, 1);
    const captured = capture(stream);
    array[Symbol.dispose]();
    await vi.waitFor(() => expect(pool.bytes.used).toBe(0), 100_000);
    captured[Symbol.dispose]();
  });

  test.runIf(isSimulated)('memory with consumers on it is freed after the capture', async () => {
    using pool = cuda.createPool();
    using home = cuda.createStream();
    using stream = cuda.createStream();
    for (const options of [{ pool, queue: home }, {}]) {
      const array = cuda.empty([16], 'uint8', options);
      await array.synchronize();
      // The loan's dict names our stream, which a consumer then captures.
      const dict = { ...array.__cuda_array_interface__, stream: stream.handle };
      using loan = cuda.asArray({ __cuda_array_interface__: dict });
      expect(loan.__cuda_array_interface__.stream).toBe(stream.handle);
      const captured = capture(stream);
      array[Symbol.dispose]();
      loan[Symbol.dispose]();
      expect(home.isCapturing()).toBe(false);
      await pause(300);
      expect(liveAllocations()).toBe(1);
      captured[Symbol.dispose](); // nothing broke it
      await stream.synchronize();
      await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
    }
  });

  test('memory that is left to the garbage collector does not break it', async () => {
    const found = await childAnswer<number[]>(
      `import { createRequire } from 'node:module';
      import { setTimeout as pause } from 'node:timers/promises';
      import { cuda, liveAllocations } from '@array-interface/cuda';
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      const stream = cuda.createStream();
      (() => { void cuda.fill(cuda.empty([16], 'uint8'), 1); })();
      probe.makeCurrent(0);
      probe.beginCapture(stream.handle, 0);
      for (let i = 0; i < 5000 && liveAllocations() > 0; i++) { globalThis.gc(); await pause(20); }
      probe.endCapture(stream.handle); // throws for one that we broke
      console.log(JSON.stringify([liveAllocations()]));`,
      {},
      ['--expose-gc'],
    );
    expect(found).toEqual([0]);
  });

  test.each([0, 2])('our work elsewhere does not break it, mode %i', async (mode) => {
    using stream = cuda.createStream();
    using array = await cuda.array(Uint8Array.of(1, 2));
    const captured = capture(stream, mode);
    const gone = cuda.empty([1 << 16], 'uint8');
    void cuda.fill(gone, 1);
    gone[Symbol.dispose](); // freed in the background
    await cuda.synchronize();
    expect(await cuda.toTypedArray(array)).toEqual(Uint8Array.of(1, 2));
    captured[Symbol.dispose]();
    expect(stream.isCapturing()).toBe(false);
    await cuda.fill(array, 3, { queue: stream });
    expect(await cuda.toTypedArray(array)).toEqual(Uint8Array.of(3, 3));
  });
});
