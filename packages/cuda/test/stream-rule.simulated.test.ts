import type { BorrowOptions } from '@array-interface/core';
import { type CudaArray, cuda, liveAllocations, type Stream } from '@array-interface/cuda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hold } from './hold.js';
import { probe } from './probe.js';
import { foreignProducer } from './producer.js';
import { refused } from './refused.js';

// CAI v3, "Synchronization". The simulator's lazy schedule runs work only when something waits for
// it, in an order that shows every missing wait: each outcome is certain, not likely. On the others
// what must be right is right, too, and what is wrong without a wait is shown on held streams.

const TIMES = 25;
const LENGTH = 1000;
const OLD = 1;
const NEW = 2;

// Freeing device memory waits for the device, and so runs what is pending: nothing is disposed before
// a test has ended, and none begins before all is freed.
const kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

afterEach(async () => {
  for (const one of kept.splice(0).reverse()) one[Symbol.dispose]();
  await cuda.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 10_000);
});

/** A producer on a stream of its own; what it does is known to nobody but that stream. */
class Producer {
  readonly stream: Stream = keep(cuda.createStream());
  readonly array: CudaArray = keep(cuda.empty([LENGTH], 'uint8', { queue: this.stream }));

  /** Gives the stream work that is pending when this returns. */
  write(value: number): void {
    void cuda.fill(this.array, value, { queue: this.stream });
  }

  static async make(): Promise<Producer> {
    const producer = new Producer();
    producer.write(OLD);
    await producer.stream.synchronize();
    return producer;
  }
}

/** Held work would hold up the calling thread for good, which `sync: 'block'` has wait for it. */
function holdUnlessBlocked(stream: Stream, { sync }: BorrowOptions): Disposable {
  return sync === 'block' ? { [Symbol.dispose]: () => {} } : keep(hold(stream));
}

/**
 * What a consumer reads on a stream of its own while the producer's writing is pending: until the
 * consumer's work is enqueued, or, where that is not ordered, until it has ended.
 */
async function readWhilePending(options: BorrowOptions, isOrdered = true): Promise<number> {
  const producer = await Producer.make();
  const consumer = keep(cuda.createStream());
  const result = keep(cuda.empty([LENGTH], 'uint8'));
  const held = holdUnlessBlocked(producer.stream, options);
  producer.write(NEW);
  const borrowed = keep(cuda.asArray(foreignProducer(producer.array, producer.stream), options));
  await cuda.copy(result, borrowed, { queue: consumer });
  if (isOrdered) held[Symbol.dispose]();
  const found = await cuda.toTypedArray(result, { queue: consumer });
  held[Symbol.dispose]();
  return onlyValue(found);
}

/** What a consumer's pending reading finds when the producer writes before it has run. */
async function writeWhileReading(options: BorrowOptions, isOrdered = true): Promise<number> {
  const producer = await Producer.make();
  const consumer = keep(cuda.createStream());
  const result = keep(cuda.empty([LENGTH], 'uint8'));
  const borrowed = keep(cuda.asArray(foreignProducer(producer.array, producer.stream), options));
  const held = holdUnlessBlocked(consumer, options);
  void cuda.copy(result, borrowed, { queue: consumer });
  producer.write(NEW);
  if (isOrdered) held[Symbol.dispose]();
  await producer.stream.synchronize();
  held[Symbol.dispose]();
  return onlyValue(await cuda.toTypedArray(result, { queue: consumer }));
}

/** What is in the producer's memory when both wrote, the producer last. */
async function writeAfterWriting(options: BorrowOptions, isOrdered = true): Promise<number> {
  const producer = await Producer.make();
  const consumer = keep(cuda.createStream());
  const borrowed = keep(cuda.asArray(foreignProducer(producer.array, producer.stream), options));
  const held = holdUnlessBlocked(consumer, options);
  void cuda.fill(borrowed, 7, { queue: consumer });
  producer.write(NEW);
  if (isOrdered) held[Symbol.dispose]();
  await producer.stream.synchronize();
  held[Symbol.dispose]();
  await consumer.synchronize();
  return onlyValue(await cuda.toTypedArray(producer.array, { queue: producer.stream }));
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
  describe.each([{}, { sync: 'wait' }, { sync: 'block' }] as BorrowOptions[])('%o', (options) => {
    test('our work starts after what the producer enqueued', async () => {
      expect(await outcomes(() => readWhilePending(options))).toEqual(all(NEW));
    });

    test('what the producer enqueues later does not overtake our reading', async () => {
      expect(await outcomes(() => writeWhileReading(options))).toEqual(all(OLD));
    });

    test('nor our writing', async () => {
      expect(await outcomes(() => writeAfterWriting(options))).toEqual(all(NEW));
    });
  });

  describe("sync: 'none' is wrong, every time", () => {
    const options: BorrowOptions = { sync: 'none' };

    test('without the wait for the producer', async () => {
      expect(await outcomes(() => readWhilePending(options, false))).toEqual(all(OLD));
    });

    test("without the producer's wait for us", async () => {
      expect(await outcomes(() => writeWhileReading(options, false))).toEqual(all(NEW));
      expect(await outcomes(() => writeAfterWriting(options, false))).toEqual(all(7));
    });

    test('so it is when the environment says ARRAY_INTERFACE_SYNC=0', async () => {
      process.env.ARRAY_INTERFACE_SYNC = '0';
      try {
        expect(await readWhilePending({}, false)).toBe(OLD);
        expect(await readWhilePending({ sync: 'wait' })).toBe(NEW);
      } finally {
        delete process.env.ARRAY_INTERFACE_SYNC;
      }
    });
  });

  test('a producer that names a stream is not served by another', async () => {
    for (const give of [(stream: Stream) => stream, ({ handle }: Stream) => handle]) {
      const producer = await Producer.make();
      const other = keep(cuda.createStream());
      const named = foreignProducer(producer.array, producer.stream);
      producer.write(NEW);
      const borrowed = keep(cuda.asArray(named, { producerStream: give(other) }));
      expect(await cuda.toTypedArray(borrowed)).toEqual(new Uint8Array(LENGTH).fill(NEW));
    }
  });

  test('a producerStream that was disposed is refused, and what it named goes on', async () => {
    const stream = keep(cuda.createStream());
    const array = keep(cuda.empty([LENGTH], 'uint8'));
    const named = cuda.stream(stream.handle);
    named[Symbol.dispose]();
    const silent = foreignProducer(array, null);
    await refused(() => cuda.asArray(silent, { producerStream: named }), 'ERR_DISPOSED');
    await cuda.fill(array, NEW, { queue: stream });
  });

  test('a stream of others that may end is not named to consumers', async () => {
    const array = keep(cuda.empty([LENGTH], 'uint8'));
    probe.makeCurrent(0);
    const foreign = probe.createStream();
    array.recordUse(foreign);
    expect(array.__cuda_array_interface__.stream).not.toBe(foreign);
    await cuda.synchronize();
    probe.destroyStream(foreign);
    await cuda.fill(array, NEW);
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(LENGTH).fill(NEW));
  });

  test('a producer that names no stream is served by producerStream', async () => {
    for (const stream of [true, false]) {
      const producer = await Producer.make();
      const consumer = keep(cuda.createStream());
      const result = keep(cuda.empty([LENGTH], 'uint8'));
      producer.write(NEW);
      const silent = foreignProducer(producer.array, null, { version: 2, stream: undefined });
      const producerStream = stream ? producer.stream : producer.stream.handle;
      const borrowed = keep(cuda.asArray(silent, { producerStream }));
      await cuda.copy(result, borrowed, { queue: consumer });
      expect(onlyValue(await cuda.toTypedArray(result, { queue: consumer }))).toBe(NEW);
    }
  });

  test('a copy from a producer as it is waits, too', async () => {
    const producer = await Producer.make();
    const consumer = keep(cuda.createStream());
    const result = keep(cuda.empty([LENGTH], 'uint8'));
    producer.write(NEW);
    await cuda.copy(result, foreignProducer(producer.array, producer.stream), { queue: consumer });
    expect(onlyValue(await cuda.toTypedArray(result, { queue: consumer }))).toBe(NEW);
  });

  test('nothing waits on the calling thread: importing runs no work', async () => {
    const producer = await Producer.make();
    const held = keep(hold(producer.stream));
    producer.write(NEW);
    const borrowed = keep(cuda.asArray(foreignProducer(producer.array, producer.stream)));
    const result = keep(cuda.empty([LENGTH], 'uint8'));
    void cuda.copy(result, borrowed);
    expect(producer.stream.query()).toBe(false);
    held[Symbol.dispose]();
    await cuda.synchronize();
    expect(producer.stream.query()).toBe(true);
  });

  test('what consumers do on a stream that we named comes before our later work', async () => {
    const ours = keep(cuda.createStream());
    const later = keep(cuda.createStream());
    const array = keep(cuda.empty([1000], 'uint8', { queue: ours }));
    const held = keep(hold(ours));
    void cuda.fill(array, 1);
    const { __cuda_array_interface__: dict } = array;
    const consumer = keep(cuda.asArray({ __cuda_array_interface__: dict }));
    void cuda.fill(consumer, 2);
    void cuda.fill(array, 3, { queue: later });
    held[Symbol.dispose]();
    await later.synchronize();
    await ours.synchronize();
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(1000).fill(3));
  });
});
