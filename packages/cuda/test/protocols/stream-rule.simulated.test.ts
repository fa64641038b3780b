import type { BorrowOptions } from '@array-interface/core';
import { type ArrayProxy, arrayProducer } from '@array-interface/core/backend';
import { cuda, liveAllocations, type Stream } from '@array-interface/cuda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { refused } from '../support/refused.js';
import { Stranger } from '../support/stranger.js';

// CAI v3, "Synchronization": we consume what another library made. The simulator's lazy schedule runs work
// only when something waits for it, in an order that shows every missing wait: each outcome is certain, not
// likely. On the others what must be right is right, too, and what is wrong without a wait is shown on held
// streams. "Ended" is the usual case on a GPU: the work before was done when somebody looked.

const TIMES = 25;
const LENGTH = 1000;
const OLD = 1;
const NEW = 2;
const MOMENTS = ['pending', 'ended'] as const;
type Moment = (typeof MOMENTS)[number];

// The end of a foreign stream waits for the device, and so runs what is pending. Nothing is disposed
// before a test has ended, and no test begins before everything is freed.
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

/** Another library's array, full of the old value. */
function makeProducer(): Stranger {
  const producer = keep(new Stranger(LENGTH));
  producer.write(OLD);
  producer.finish();
  return producer;
}

const streamOf = ({ device, stream }: Stranger) => ({ device, handle: stream });

/** Held work would hold up the calling thread for good, which `sync: 'block'` has wait for it. */
function holdUnlessBlocked(
  stream: Pick<Stream, 'device' | 'handle'>,
  { sync }: BorrowOptions,
): Disposable {
  return sync === 'block' ? { [Symbol.dispose]: () => {} } : keep(hold(stream));
}

/**
 * What a consumer reads on a stream of its own while the producer's writing is pending: until the
 * consumer's work is enqueued, or, if that is not ordered, until it has ended.
 */
async function readAfterWriting(
  options: BorrowOptions,
  moment: Moment,
  isOrdered = true,
): Promise<number> {
  const producer = makeProducer();
  const consumer = keep(cuda.createStream());
  const result = keep(cuda.empty([LENGTH], 'uint8'));
  const held = holdUnlessBlocked(streamOf(producer), options);
  producer.write(NEW);
  if (moment === 'ended') {
    held[Symbol.dispose]();
    producer.finish();
  }
  const borrowed = keep(cuda.asArray(producer.dict(), options));
  await cuda.copy(result, borrowed, { queue: consumer });
  if (isOrdered) held[Symbol.dispose]();
  const found = await cuda.toTypedArray(result, { queue: consumer });
  held[Symbol.dispose]();
  return onlyValue(found);
}

/** What a consumer's reading finds when the producer writes before it has run, or right after it. */
async function writeAfterReading(
  options: BorrowOptions,
  moment: Moment,
  isOrdered = true,
): Promise<number> {
  const producer = makeProducer();
  const consumer = keep(cuda.createStream());
  const result = keep(cuda.empty([LENGTH], 'uint8'));
  const borrowed = keep(cuda.asArray(producer.dict(), options));
  const held = holdUnlessBlocked(consumer, options);
  await cuda.copy(result, borrowed, { queue: consumer });
  if (moment === 'ended') {
    held[Symbol.dispose]();
    await consumer.synchronize();
  }
  producer.write(NEW);
  if (isOrdered) held[Symbol.dispose]();
  producer.finish();
  held[Symbol.dispose]();
  return onlyValue(await cuda.toTypedArray(result, { queue: consumer }));
}

/** What is in the producer's memory when both wrote, the producer last. */
async function writeAfterWriting(
  options: BorrowOptions,
  moment: Moment,
  isOrdered = true,
): Promise<number> {
  const producer = makeProducer();
  const consumer = keep(cuda.createStream());
  const borrowed = keep(cuda.asArray(producer.dict(), options));
  const held = holdUnlessBlocked(consumer, options);
  void cuda.fill(borrowed, 7, { queue: consumer });
  if (moment === 'ended') {
    held[Symbol.dispose]();
    await consumer.synchronize();
  }
  producer.write(NEW);
  if (isOrdered) held[Symbol.dispose]();
  producer.finish();
  held[Symbol.dispose]();
  await consumer.synchronize();
  return producer.value;
}

function onlyValue(elements: ArrayLike<number | bigint>): number {
  const values = new Set(Array.from(elements, Number));
  expect(values.size, `values ${[...values]}`).toBe(1);
  return [...values][0] as number;
}

async function outcomes(run: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < TIMES; i++) found.push(await run());
  return found;
}

const all = (value: number): number[] => Array(TIMES).fill(value);

describe('the stream rule', () => {
  const sides = [{}, { sync: 'wait' }, { sync: 'block' }] as BorrowOptions[];
  const cases = sides.flatMap((options) => MOMENTS.map((moment) => [options, moment] as const));

  describe.each(cases)('%o, work before it %s', (options, moment) => {
    test('our work starts after what the producer enqueued', async () => {
      expect(await outcomes(() => readAfterWriting(options, moment))).toEqual(all(NEW));
    });

    test('what the producer enqueues later does not overtake our reading', async () => {
      expect(await outcomes(() => writeAfterReading(options, moment))).toEqual(all(OLD));
    });

    test('nor our writing', async () => {
      expect(await outcomes(() => writeAfterWriting(options, moment))).toEqual(all(NEW));
    });
  });

  describe("sync: 'none' gives wrong values, every time", () => {
    const options: BorrowOptions = { sync: 'none' };

    test('without the wait for the producer', async () => {
      const found = await outcomes(() => readAfterWriting(options, 'pending', false));
      expect(found).toEqual(all(OLD));
    });

    test("without the producer's wait for us", async () => {
      const read = await outcomes(() => writeAfterReading(options, 'pending', false));
      expect(read).toEqual(all(NEW));
      const written = await outcomes(() => writeAfterWriting(options, 'pending', false));
      expect(written).toEqual(all(7));
    });

    test('and so it is with ARRAY_INTERFACE_SYNC=0', async () => {
      process.env.ARRAY_INTERFACE_SYNC = '0';
      try {
        expect(await readAfterWriting({}, 'pending', false)).toBe(OLD);
        expect(await readAfterWriting({ sync: 'wait' }, 'pending')).toBe(NEW);
      } finally {
        delete process.env.ARRAY_INTERFACE_SYNC;
      }
    });
  });

  test('nothing waits on the calling thread: importing runs no work', async () => {
    const producer = makeProducer();
    const held = keep(hold(streamOf(producer)));
    producer.write(NEW);
    const borrowed = keep(cuda.asArray(producer.dict()));
    const result = keep(cuda.empty([LENGTH], 'uint8'));
    void cuda.copy(result, borrowed);
    expect(probe.queryStream(producer.stream)).toBe(false);
    held[Symbol.dispose]();
    expect(producer.value).toBe(NEW);
    expect(probe.queryStream(producer.stream)).toBe(true);
  });
});

describe('producerStream', () => {
  const read = async (producer: Stranger, options: object, stream: bigint | null = null) => {
    const consumer = keep(cuda.createStream());
    const result = keep(cuda.empty([LENGTH], 'uint8'));
    const borrowed = keep(cuda.asArray(producer.dict(stream), options));
    await cuda.copy(result, borrowed, { queue: consumer });
    return onlyValue(await cuda.toTypedArray(result, { queue: consumer }));
  };

  test('is used for a producer that names none', async () => {
    for (const give of [(handle: bigint) => handle, (handle: bigint) => cuda.stream(handle)]) {
      const producer = makeProducer();
      producer.write(NEW);
      expect(await read(producer, { producerStream: give(producer.stream) })).toBe(NEW);
    }
  });

  test('is not used for one that names a stream', async () => {
    for (const give of [(stream: Stream) => stream, ({ handle }: Stream) => handle]) {
      const producer = makeProducer();
      const other = keep(cuda.createStream());
      producer.write(NEW);
      expect(await read(producer, { producerStream: give(other) }, producer.stream)).toBe(NEW);
    }
  });

  test('that is disposed is refused, and the stream that it named goes on', async () => {
    const stream = keep(cuda.createStream());
    const producer = makeProducer();
    const named = cuda.stream(stream.handle);
    named[Symbol.dispose]();
    await refused(
      () => cuda.asArray(producer.dict(null), { producerStream: named }),
      'ERR_DISPOSED',
    );
    const array = keep(cuda.empty([LENGTH], 'uint8'));
    await cuda.fill(array, NEW, { queue: stream });
  });

  test('a copy directly from a producer waits, too', async () => {
    const producer = makeProducer();
    const consumer = keep(cuda.createStream());
    const result = keep(cuda.empty([LENGTH], 'uint8'));
    producer.write(NEW);
    await cuda.copy(result, producer.dict(), { queue: consumer });
    expect(onlyValue(await cuda.toTypedArray(result, { queue: consumer }))).toBe(NEW);
  });
});

// As Numba's own default stream, PyTorch and RAPIDS do.
describe('a library that names no stream works on the legacy default stream', () => {
  const LEGACY = { device: 0, handle: 1n };

  test.each(MOMENTS)('its work before ours, %s', async (moment) => {
    for (let i = 0; i < TIMES; i++) {
      const producer = makeProducer();
      const consumer = keep(cuda.createStream());
      const result = keep(cuda.empty([LENGTH], 'uint8'));
      const held = keep(hold(LEGACY));
      producer.write(NEW, 1n);
      if (moment === 'ended') {
        held[Symbol.dispose]();
        probe.synchronizeStream(1n);
      }
      await cuda.copy(result, producer.dict(null), { queue: consumer });
      held[Symbol.dispose]();
      expect(onlyValue(await cuda.toTypedArray(result, { queue: consumer }))).toBe(NEW);
    }
  });

  test.each(MOMENTS)('ours, %s, before its later work', async (moment) => {
    const producer = makeProducer();
    const consumer = keep(cuda.createStream());
    const result = keep(cuda.empty([LENGTH], 'uint8'));
    const held = keep(hold(consumer));
    await cuda.copy(result, producer.dict(null), { queue: consumer });
    if (moment === 'ended') {
      held[Symbol.dispose]();
      await consumer.synchronize();
    }
    producer.write(NEW, 1n);
    held[Symbol.dispose]();
    probe.synchronizeStream(1n);
    expect(onlyValue(await cuda.toTypedArray(result, { queue: consumer }))).toBe(OLD);
  });

  // As one of Python's in this process: Numba works on the NULL stream and names none.
  describe.each([
    ['NULL', 0n],
    ['legacy', 1n],
  ])('through a proxy, on the %s stream', (_, stream) => {
    const proxy = (producer: Stranger): ArrayProxy => ({
      [arrayProducer]: () => producer.dict(null),
    });

    test.each(MOMENTS)('its work before ours, %s', async (moment) => {
      for (let i = 0; i < TIMES; i++) {
        const producer = makeProducer();
        const held = keep(hold(LEGACY));
        producer.write(NEW, stream);
        if (moment === 'ended') {
          held[Symbol.dispose]();
          probe.synchronizeStream(stream);
        }
        const borrowed = keep(cuda.asArray(proxy(producer)));
        const result = keep(cuda.empty([LENGTH], 'uint8'));
        await cuda.copy(result, borrowed, { queue: keep(cuda.createStream()) });
        held[Symbol.dispose]();
        expect(onlyValue(await cuda.toTypedArray(result))).toBe(NEW);
      }
    });

    test.each(MOMENTS)('ours, %s, before its later work', async (moment) => {
      const producer = makeProducer();
      const consumer = keep(cuda.createStream());
      const borrowed = keep(cuda.asArray(proxy(producer)));
      const result = keep(cuda.empty([LENGTH], 'uint8'));
      const held = keep(hold(consumer));
      await cuda.copy(result, borrowed, { queue: consumer });
      if (moment === 'ended') {
        held[Symbol.dispose]();
        await consumer.synchronize();
      }
      producer.write(NEW, stream);
      held[Symbol.dispose]();
      probe.synchronizeStream(stream);
      expect(onlyValue(await cuda.toTypedArray(result, { queue: consumer }))).toBe(OLD);
      expect(onlyValue(await cuda.toTypedArray(borrowed))).toBe(NEW);
    });
  });

  test('producerStream: null says that nothing is pending, and its memory has no stream then', async () => {
    const producer = makeProducer();
    const held = keep(hold(LEGACY));
    producer.write(NEW, 1n);
    const borrowed = keep(cuda.asArray(producer.dict(null), { producerStream: null }));
    expect(onlyValue(await cuda.toTypedArray(borrowed))).toBe(OLD);
    expect(borrowed.__cuda_array_interface__.stream).not.toBe(1n);
    held[Symbol.dispose]();
    probe.synchronizeStream(1n);
  });

  test('our own memory is recognised, and waits for no stream', async () => {
    const array = keep(await cuda.array(new Uint8Array(LENGTH).fill(OLD)));
    const held = keep(hold(LEGACY));
    const dict = { ...array.__cuda_array_interface__, stream: null };
    const loan = keep(cuda.asArray({ __cuda_array_interface__: dict }));
    expect(onlyValue(await cuda.toTypedArray(loan))).toBe(OLD);
    held[Symbol.dispose]();
  });

  test('during a capture that the legacy stream joins, is refused with what to do', async () => {
    const producer = makeProducer();
    const blocking = keep(cuda.createStream({ nonBlocking: false }));
    const borrowed = keep(cuda.asArray(producer.dict(null)));
    const quiet = keep(cuda.asArray(producer.dict(null), { producerStream: null }));
    probe.makeCurrent(0);
    probe.beginCapture(blocking.handle, 0);
    const error = await refused(() => cuda.toTypedArray(borrowed), 'ERR_CAPTURE');
    expect(error.message).toContain('producerStream: null');
    expect(onlyValue(await cuda.toTypedArray(quiet))).toBe(OLD);
    probe.endCapture(blocking.handle); // nothing broke it
    expect(onlyValue(await cuda.toTypedArray(borrowed))).toBe(OLD);
  });
});
