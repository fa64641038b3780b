import { setTimeout as pause } from 'node:timers/promises';
import type { ArrayLike } from '@array-interface/core';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { childAnswer } from '../support/child.js';
import { defaultStream } from '../support/driver.js';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { Stranger } from '../support/stranger.js';

const LENGTH = 1000;

const kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

afterEach(async () => {
  for (const one of kept.splice(0).reverse()) one[Symbol.dispose]();
  await cuda.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
});

/** What an addon gets of an array. */
function capsuleOf(array: object): ArrayLike {
  const key = Symbol.for('array-interface.array');
  return (array as unknown as Record<symbol, () => ArrayLike>)[key]?.() as ArrayLike;
}

const empty = () => keep(cuda.empty([LENGTH], 'uint8'));

async function filled(value: number) {
  const array = empty();
  await cuda.fill(array, value);
  await array.synchronize();
  return array;
}

describe('reads', () => {
  test('do not wait for reads, and a write waits for all of them', async () => {
    const source = await filled(1);
    const [slow, quick] = [keep(cuda.createStream()), keep(cuda.createStream())];
    const [one, two] = [empty(), empty()];
    const held = keep(hold(slow));
    await cuda.copy(one, source, { queue: slow });
    await cuda.copy(two, source, { queue: quick });
    await quick.synchronize();
    expect(slow.query()).toBe(false);
    const writer = keep(cuda.createStream());
    await cuda.fill(source, 2, { queue: writer });
    held[Symbol.dispose]();
    await writer.synchronize();
    expect(slow.query()).toBe(true);
    expect((await cuda.toTypedArray(one))[0]).toBe(1);
    expect((await cuda.toTypedArray(two))[0]).toBe(1);
  });

  test('of a loan make the producer’s stream wait for no read of another', async () => {
    const source = await filled(1);
    const producer = keep(cuda.createStream());
    const dict = { ...source.__cuda_array_interface__, stream: producer.handle };
    const loan = keep(cuda.asArray({ __cuda_array_interface__: dict }));
    const [slow, quick] = [keep(cuda.createStream()), keep(cuda.createStream())];
    const held = keep(hold(slow));
    await cuda.copy(empty(), loan, { queue: slow });
    await cuda.copy(empty(), source, { queue: quick });
    await quick.synchronize();
    expect(slow.query()).toBe(false);
    held[Symbol.dispose]();
  });
});

describe("another library's stream, known by its handle", () => {
  test('is not mistaken for the next one with the same handle', async () => {
    const [ones, x, out] = [await filled(1), await filled(0), empty()];
    probe.makeCurrent(0);
    const first = probe.createStream();
    const used = cuda.stream(first);
    const release = probe.hold(first);
    await cuda.copy(x, ones, { queue: used }); // pending behind the library's own work
    used[Symbol.dispose]();
    probe.destroyStream(first); // the driver still does the work
    const second = probe.createStream();
    expect(second).toBe(first);
    const next = cuda.stream(second);
    await cuda.copy(out, x, { queue: next });
    let isOut = false;
    const read = next.synchronize().then(() => {
      isOut = true;
    });
    await pause(100);
    expect(isOut).toBe(false);
    release();
    await read;
    expect((await cuda.toTypedArray(out))[0]).toBe(1);
    next[Symbol.dispose]();
    probe.destroyStream(second);
  });

  test('is never queried once it may be gone', async () => {
    const [ones, x] = [await filled(1), await filled(0)];
    probe.makeCurrent(0);
    const handle = probe.createStream();
    const used = cuda.stream(handle);
    const release = probe.hold(handle);
    await cuda.copy(x, ones, { queue: used });
    used[Symbol.dispose]();
    probe.destroyStream(handle);
    const { stream } = x.__cuda_array_interface__;
    expect(stream).toBe(defaultStream().handle);
    await cuda.fill(x, 2);
    release();
    await cuda.synchronize();
    expect((await cuda.toTypedArray(x))[0]).toBe(2);
  });

  test('that ends before a loan whose dict was read does not end our work on the memory', async () => {
    const array = await filled(3);
    probe.makeCurrent(0);
    const handle = probe.createStream();
    const dict = { ...array.__cuda_array_interface__, stream: handle };
    const loan = cuda.asArray({ __cuda_array_interface__: dict });
    expect(loan.__cuda_array_interface__.stream).not.toBe(handle); // the lender would have to ask it
    loan[Symbol.dispose]();
    probe.destroyStream(handle);
    await cuda.fill(array, 4);
    expect((await cuda.toTypedArray(array))[0]).toBe(4);
  });
});

describe('events', () => {
  const events = () => {
    const counts = addon().liveCounts();
    return counts.events + counts.freeEvents;
  };
  /** Memory that was freed holds its events until another thread has seen it. */
  const fewSince = (before: number) =>
    vi.waitFor(async () => {
      await cuda.releaseCached();
      expect(events() - before).toBeLessThan(16);
    }, 100_000);

  test('are a handful for any number of copies, without returning to the event loop', async () => {
    const [one, two] = [await filled(1), await filled(2)];
    const before = events();
    for (let i = 0; i < 20_000; i++) await cuda.copy(one, two);
    expect(events() - before).toBeLessThan(16);
    expect(events()).toBe(probe.live('events'));
  });

  test('or for arrays that were each used once, when that has ended', async () => {
    const before = events();
    const arrays = Array.from({ length: 2000 }, empty);
    const source = await filled(1);
    for (const array of arrays) await cuda.copy(array, source);
    await cuda.synchronize();
    await cuda.fill(source, 2); // more work on the stream polls its earlier events
    await fewSince(before);
  });

  test('or for streams that were named and dropped', async () => {
    const array = await filled(1);
    const stream = keep(cuda.createStream());
    const before = events();
    for (let i = 0; i < 1000; i++) {
      using named = cuda.stream(stream.handle);
      await cuda.fill(array, 1, { queue: named });
    }
    await cuda.synchronize();
    await cuda.fill(array, 1, { queue: stream });
    await fewSince(before);
  });

  test('or for streams of others that used arrays, if nobody waits for the whole backend', async () => {
    const perThread = 2n;
    const before = events();
    for (let i = 0; i < 50; i++) {
      using array = empty();
      array.recordUse(perThread);
      void cuda.fill(array, 1);
    }
    await defaultStream().synchronize();
    await fewSince(before);
  });
});

describe('an array lent on many of our streams that come and go', () => {
  test.each(['dict', 'capsule'])('keeps few of them, with %s', async (way) => {
    const array = await filled(1);
    const rounds = 60;
    const streams = () => addon().liveCounts().streams;
    const before = streams();
    for (let i = 0; i < rounds; i++) {
      using stream = cuda.createStream();
      using loan = cuda.asArray(array, { producerStream: stream });
      if (way === 'dict') {
        void loan.__cuda_array_interface__;
      } else {
        const consumed = cuda.asArray(capsuleOf(loan));
        await cuda.fill(consumed, i);
        consumed[Symbol.dispose]();
      }
    }
    await vi.waitFor(async () => {
      await cuda.fill(array, 7); // it is looked at now
      await cuda.synchronize();
      expect(streams() - before).toBeLessThan(4);
    }, 100_000);
    const records = probe.calls('cuEventRecord');
    await cuda.fill(array, 8);
    expect(probe.calls('cuEventRecord') - records).toBeLessThan(5);
    expect((await cuda.toTypedArray(array))[0]).toBe(8);
  });

  test('waits for the work of consumers there', async () => {
    const array = await filled(5);
    const lender = cuda.createStream();
    const loan = cuda.asArray(array, { producerStream: lender });
    using stranger = new Stranger(LENGTH);
    const held = keep(hold({ device: 0, handle: stranger.stream }));
    stranger.read(loan);
    loan[Symbol.dispose]();
    lender[Symbol.dispose]();
    const writer = keep(cuda.createStream());
    await cuda.fill(array, 6, { queue: writer });
    await cuda.fill(array, 7, { queue: writer });
    held[Symbol.dispose]();
    await array.synchronize();
    expect(stranger.value).toBe(5);
  });

  test('and its memory is freed after that, too', async () => {
    const array = cuda.empty([LENGTH], 'uint8');
    await cuda.fill(array, 5);
    await array.synchronize();
    const lender = cuda.createStream();
    const loan = cuda.asArray(array, { producerStream: lender });
    using stranger = new Stranger(LENGTH);
    const held = keep(hold({ device: 0, handle: stranger.stream }));
    stranger.read(loan);
    loan[Symbol.dispose]();
    lender[Symbol.dispose]();
    void array.__cuda_array_interface__; // the lender's stream is looked at
    array[Symbol.dispose]();
    const other = keep(cuda.createStream());
    const next = keep(cuda.empty([LENGTH], 'uint8', { queue: other }));
    await cuda.fill(next, 9);
    await next.synchronize();
    held[Symbol.dispose]();
    expect(stranger.value).toBe(5);
  });
});

test('failed work is reported to everyone who waits for the memory, also if others saw it first', async () => {
  const codes = await childAnswer<string[]>(
    `import { createRequire } from 'node:module';
    import { cuda } from '@array-interface/cuda';
    const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
    const [array, other] = [cuda.empty([1000], 'uint8'), cuda.empty([1000], 'uint8')];
    await cuda.fill(array, 1);
    await cuda.copy(other, array);
    await cuda.fill(array, 2);
    probe.fail('cuEventQuery:1:ILLEGAL_ADDRESS');
    const codes = [];
    for (const one of [other, array, other, array]) {
      codes.push(await one.synchronize().then(() => 'none', ({ driverCode }) => driverCode));
    }
    console.log(JSON.stringify(codes));`,
    // Elsewhere the work may have ended, and been seen to, before the query that fails.
    { CUDA_SIMULATOR_SCHEDULE: 'lazy' },
  );
  expect(codes).toEqual(Array(4).fill('CUDA_ERROR_ILLEGAL_ADDRESS'));
});
