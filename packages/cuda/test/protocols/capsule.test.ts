import { arrayCapsule, capsuleContents } from '@array-interface/core/backend';
import {
  type CudaArray,
  type CudaEmptyOptions,
  cuda,
  liveAllocations,
  type Stream,
} from '@array-interface/cuda';
import {
  allReleased,
  capsulesOfWorkers,
  foreignAddons,
  livesWhileHeld,
} from '@array-interface/foreign';
import { leavesNothing } from '@array-interface/lifetimes';
import { describe, expect, test, vi } from 'vitest';
import { defaultStream } from '../support/driver.js';
import { isLazy } from '../support/driver-under-test.js';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { refused } from '../support/refused.js';
import { Stranger } from '../support/stranger.js';

// Two addons that know nothing but array_interface.h: one imports this library's arrays, one exports
// its own. Their work on the device is that of a `Stranger`. On each schedule, with work pending and
// with work ended.

const { giver, taker } = foreignAddons(`${import.meta.dirname}/../..`);

const LENGTH = 1000;
const MOMENTS = ['pending', 'ended'] as const;
const [READY, STREAM, EVENT] = [0, 1, 2];
const NOTHING = { released: 0, deleted: 0, elsewhere: 0, consumed: [] };

const kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

/** Ends what the test keeps, so that nothing is held when it goes on. */
async function end(): Promise<void> {
  for (const one of kept.splice(0).reverse()) one[Symbol.dispose]();
  await cuda.synchronize();
}

/** How long the release of a dropped array may take, in milliseconds. */
const PATIENCE = 20_000;

leavesNothing(
  async () => {
    taker.letGo();
    await end();
  },
  async () => {
    await vi.waitFor(() => expect(liveAllocations()).toBe(0), PATIENCE);
    expect(giver.look()).toEqual(NOTHING);
  },
);

const streamOf = ({ device, stream }: Stranger) => ({ device, handle: stream });

async function onlyValue(array: CudaArray, queue?: Stream): Promise<number> {
  const elements = await cuda.toTypedArray(array, queue ? { queue } : {});
  const values = new Set(Array.from(elements as ArrayLike<number>));
  expect(values.size, `values ${[...values]}`).toBe(1);
  return [...values][0] as number;
}

/** Makes a foreign stream wait for another's work, and then enqueues work there. */
function behind(stranger: Stranger, order: bigint, work: () => void): void {
  probe.makeCurrent(0);
  const ready = probe.createEvent();
  probe.recordEvent(ready, order);
  probe.waitEvent(stranger.stream, ready);
  probe.destroyEvent(ready);
  work();
}

/** The consumer's half of the rule, in each of its ways. */
const HALVES = {
  'by the stream itself': (stranger: Stranger, order: bigint) => {
    const done = probe.createEvent();
    probe.recordEvent(done, stranger.stream);
    probe.waitEvent(order, done);
    probe.destroyEvent(done);
  },
  'by consumed, with its stream': (stranger: Stranger, _: bigint, id: number) =>
    taker.consumed(id, STREAM, stranger.stream),
  'by consumed, with an event': (stranger: Stranger, _: bigint, id: number) => {
    const done = probe.createEvent();
    probe.recordEvent(done, stranger.stream);
    taker.consumed(id, EVENT, done);
    probe.destroyEvent(done);
  },
} as const;

describe('a capsule of an array', () => {
  test.each([
    ['device', 2],
    ['host', 3],
    ['shared', 13],
  ] as const)('of %s memory names its device and a stream', (memoryKind, type) => {
    using queue = cuda.createStream();
    using array = cuda.empty([4, 6], 'float32', { memoryKind, queue });
    const view = array
      .slice([
        [null, null, 2],
        [1, 4],
      ])
      .flip(1);
    const found = taker.take(view);
    expect(found).toMatchObject({
      data: view.pointer,
      shape: [2, 3],
      strides: [12, -1],
      dtype: [2, 32, 1],
      device: [type, 0],
      kind: STREAM,
      order: queue.handle,
      context: 0n,
      hears: true,
    });
    expect(array.__cuda_array_interface__.stream).toBe(found.order);
    taker.release(found.id, 'another');
  });

  test('is ready if the stream was waited for, or if nobody has to wait', () => {
    for (const [exportStream, hears] of [
      ['block', true],
      ['none', false],
    ] as const) {
      using array = cuda.empty([4], 'uint8', { exportStream });
      void cuda.fill(array, 1);
      const found = taker.take(array);
      expect(found).toMatchObject({ kind: READY, order: 0n, hears });
      taker.release(found.id, 'here');
    }
  });

  test('is refused if it cannot hold the array', async () => {
    using array = cuda.empty([4], 'uint8');
    const { __cuda_array_interface__: dict } = array;
    using masked = cuda.asArray({
      __cuda_array_interface__: { ...dict, mask: { __cuda_array_interface__: dict } },
    } as never);
    await refused(() => masked[arrayCapsule](), 'ERR_MASK');
    const capsule = array[arrayCapsule]();
    taker.release(taker.take(capsule).id, 'here');
    await refused(() => cuda.asArray(capsule), 'ERR_DISPOSED');
  });
});

const PLACES: readonly (readonly [string, () => CudaEmptyOptions])[] = [
  ['without a stream', () => ({})],
  ['on a stream of ours', () => ({ queue: keep(cuda.createStream()) })],
  ['of a pool', () => ({ pool: keep(cuda.createPool()), queue: keep(cuda.createStream()) })],
  ['pinned', () => ({ memoryKind: 'host' })],
];
const GIVING = PLACES.flatMap(([name, place]) =>
  MOMENTS.flatMap((moment) =>
    Object.entries(HALVES).map(([way, half]) => ({ name, place, moment, way, half })),
  ),
);

describe.each(GIVING)('an array $name, our work $moment, the consumer’s half $way', (one) => {
  const { place, moment, half } = one;

  /** An array full of ones, and what holds that up until it is disposed. */
  async function filled(): Promise<{ array: CudaArray & Disposable; held: Disposable }> {
    const array = keep(cuda.empty([LENGTH], 'uint8', place()));
    await array.synchronize();
    const { homeQueue } = array.memory;
    const held = keep(hold((homeQueue as Stream | null) ?? defaultStream()));
    void cuda.fill(array, 1);
    if (moment === 'ended') {
      held[Symbol.dispose]();
      await array.synchronize();
    }
    return { array, held };
  }

  test('a consumer reads what we wrote, and our next write does not overtake it', async () => {
    const { array, held } = await filled();
    const consumer = keep(new Stranger(LENGTH));
    const reading = keep(hold(streamOf(consumer)));
    const { id, order, data } = taker.take(array);
    behind(consumer, order, () => consumer.copyFrom(data));
    half(consumer, order, id);
    taker.release(id, 'another');
    const later = keep(cuda.createStream());
    void cuda.fill(array, 2, { queue: later });
    held[Symbol.dispose]();
    reading[Symbol.dispose]();
    await later.synchronize();
    expect(consumer.value).toBe(1);
    expect(await onlyValue(array)).toBe(2);
  });

  test('our next read sees what a consumer writes, on any stream', async () => {
    const { array, held } = await filled();
    const consumer = keep(new Stranger(LENGTH));
    const writing = keep(hold(streamOf(consumer)));
    const { id, order, data } = taker.take(array);
    behind(consumer, order, () => probe.memset(consumer.stream, data, 7, LENGTH));
    half(consumer, order, id);
    taker.release(id, 'here');
    const target = keep(cuda.empty([LENGTH], 'uint8'));
    const queue = keep(cuda.createStream());
    await cuda.copy(target, array, { queue });
    held[Symbol.dispose]();
    writing[Symbol.dispose]();
    expect(await onlyValue(target, queue)).toBe(7);
  });

  test('the memory is freed when the consumer’s work has ended, not with the array', async () => {
    const { array, held } = await filled();
    const { pool: _, ...rest } = place();
    const consumer = keep(new Stranger(LENGTH));
    const reading = keep(hold(streamOf(consumer)));
    const { id, order, data } = taker.take(array);
    array[Symbol.dispose]();
    behind(consumer, order, () => consumer.copyFrom(data));
    half(consumer, order, id);
    taker.release(id, 'another');
    for (let i = 0; i < 3; i++) {
      const queue = keep(cuda.createStream());
      void cuda.fill(keep(cuda.empty([LENGTH], 'uint8', rest)), 9, { queue });
      if (moment === 'ended') await queue.synchronize(); // while the consumer is held
    }
    held[Symbol.dispose]();
    reading[Symbol.dispose]();
    expect(consumer.value, 'what the consumer read of memory that was given up').toBe(1);
  });
});

describe.each([
  ['a stream', STREAM],
  ['an event', EVENT],
] as const)('consumed, with %s, while the named stream is captured', (_, kind) => {
  test('waits for the consumer’s work itself, and leaves the capture', async () => {
    const queue = keep(cuda.createStream());
    const array = keep(cuda.empty([LENGTH], 'uint8', { queue }));
    await array.synchronize();
    const consumer = keep(new Stranger(LENGTH));
    const { id, order, data } = taker.take(array);
    behind(consumer, order, () => probe.memset(consumer.stream, data, 7, LENGTH));
    const done = probe.createEvent();
    probe.recordEvent(done, consumer.stream);
    expect(isLazy && probe.queryStream(consumer.stream)).toBe(false);
    probe.beginCapture(queue.handle, 2);
    let isCaptured = true;
    const leave = () => {
      if (!isCaptured) return;
      isCaptured = false;
      probe.endCapture(queue.handle);
    };
    keep({ [Symbol.dispose]: leave }); // also if an expectation fails
    taker.consumed(id, kind, kind === STREAM ? consumer.stream : done);
    expect(probe.queryStream(consumer.stream)).toBe(true);
    leave(); // nothing broke it
    probe.destroyEvent(done);
    taker.release(id, 'another');
    expect(await onlyValue(array)).toBe(7);
  });
});

test('an addon’s memory stays while only another addon has it', async () => {
  const stranger = keep(new Stranger(LENGTH));
  const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2 };
  const array = keep(cuda.asArray(giver.give({ ...gift, data: stranger.pointer })));
  const { id } = taker.take(array);
  array[Symbol.dispose]();
  await cuda.synchronize();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(giver.look().released, 'while another addon has it').toBe(0);
  taker.release(id, 'another');
  await cuda.synchronize();
  await vi.waitFor(() => expect(giver.look()).toMatchObject({ released: 1, deleted: 1 }), PATIENCE);
});

test('the producer of an array stays while an addon has it, and no longer', async () => {
  const stranger = keep(new Stranger(LENGTH));
  const lives = await livesWhileHeld(() => {
    const object = stranger.dict(null);
    using array = cuda.asArray(object);
    const { id } = taker.take(array);
    return { object, end: () => taker.release(id, 'another') };
  });
  expect(lives).toEqual([true, false]);
});

test('an event of a released array is refused', async () => {
  const { native } = await import('../support/native.mjs' as never);
  const stranger = keep(new Stranger(LENGTH));
  const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2 };
  const event = probe.createEvent();
  const capsule = giver.give({ ...gift, data: stranger.pointer, kind: EVENT, order: event });
  const { handle, fields } = native.importCapsule(capsule, capsuleContents);
  const stream = keep(cuda.createStream());
  native.endMemory(native.borrow(fields.device.id, stranger.pointer, handle, true).handle);
  await allReleased(giver, 1);
  await refused(
    () => native.enqueueWaitForProducer((stream as unknown as { native: never }).native, handle),
    'ERR_DISPOSED',
  );
  probe.destroyEvent(event);
});

/** The ways in which a foreign addon's array is ordered. */
const ORDERS = {
  stream: (stranger: Stranger) => ({ kind: STREAM, order: stranger.stream }),
  event: (stranger: Stranger) => {
    const event = probe.createEvent();
    probe.recordEvent(event, stranger.stream);
    keep({ [Symbol.dispose]: () => probe.destroyEvent(event) });
    return { kind: EVENT, order: event };
  },
  'event, and hears': (stranger: Stranger) => ({ ...ORDERS.event(stranger), hears: true }),
} as const;

const TAKING = MOMENTS.flatMap((moment) =>
  (Object.keys(ORDERS) as (keyof typeof ORDERS)[]).map((way) => ({ moment, way })),
);

describe.each(TAKING)('an array from a capsule, with $way, its work $moment', ({ moment, way }) => {
  /** A foreign library whose fill is pending, the array imported from it, and what delays the fill. */
  function given(options: { sync?: 'block' } = {}) {
    const stranger = keep(new Stranger(LENGTH));
    const held = keep(hold(streamOf(stranger)));
    stranger.write(5);
    if (moment === 'ended') {
      held[Symbol.dispose]();
      stranger.finish();
    }
    const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2 };
    const ordered = ORDERS[way](stranger);
    const array = cuda.asArray(
      giver.give({ ...gift, data: stranger.pointer, ...ordered }),
      options,
    );
    return { stranger, array: keep(array), held };
  }

  test('we read what it wrote, on any stream', async () => {
    const { array, held } = given();
    const target = keep(cuda.empty([LENGTH], 'uint8'));
    const queue = keep(cuda.createStream());
    await cuda.copy(target, array, { queue });
    held[Symbol.dispose]();
    expect(await onlyValue(target, queue)).toBe(5);
    array[Symbol.dispose]();
    await vi.waitFor(
      () => expect(giver.look()).toMatchObject({ released: 1, deleted: 1 }),
      PATIENCE,
    );
  });

  test('its next write does not overtake our read, and its read sees our write', async () => {
    const { stranger, array, held } = given();
    const target = keep(cuda.empty([LENGTH], 'uint8'));
    const queue = keep(cuda.createStream());
    const reading = keep(hold(queue));
    await cuda.copy(target, array, { queue });
    await cuda.fill(array, 6, { queue });
    if (way === 'event') {
      // it has no way but to wait for the release
      array[Symbol.dispose]();
      held[Symbol.dispose]();
      reading[Symbol.dispose]();
      await queue.synchronize();
      await vi.waitFor(() => expect(giver.look().released).toBe(1), PATIENCE);
    } else if (way === 'event, and hears') {
      const { consumed } = giver.look();
      expect(consumed.length).toBeGreaterThan(0);
      for (const [kind, order] of consumed) {
        expect(kind).toBe(STREAM);
        behind(stranger, order, () => {});
      }
    }
    const seen = keep(new Stranger(LENGTH));
    probe.makeCurrent(0);
    probe.copy(stranger.stream, seen.pointer, stranger.pointer, LENGTH);
    stranger.write(8);
    held[Symbol.dispose]();
    reading[Symbol.dispose]();
    stranger.finish();
    expect(seen.value).toBe(6);
    expect(stranger.value).toBe(8);
    expect(await onlyValue(target, queue)).toBe(5);
    await end();
    await vi.waitFor(
      () => expect(way === 'event' || giver.look().released === 1).toBe(true),
      PATIENCE,
    );
  });

  test('it hears of work on a loan by its dict, too', async () => {
    const { array, held } = given(moment === 'ended' ? { sync: 'block' } : {});
    const loan = keep(cuda.asArray({ __cuda_array_interface__: array.__cuda_array_interface__ }));
    giver.look(); // counts from here on
    const queue = keep(cuda.createStream());
    await cuda.fill(loan, 6, { queue });
    expect(giver.look().consumed.length > 0).toBe(way === 'event, and hears');
    held[Symbol.dispose]();
    await queue.synchronize();
    await end();
    await vi.waitFor(() => expect(giver.look().released).toBe(1), PATIENCE);
  });

  test('it is released once our pending work has ended, not before', async () => {
    const { array, held } = given();
    const queue = keep(cuda.createStream());
    const working = keep(hold(queue));
    void cuda.fill(array, 6, { queue });
    array[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!queue.query()) expect(giver.look().released).toBe(0);
    held[Symbol.dispose]();
    working[Symbol.dispose]();
    await queue.synchronize();
    await vi.waitFor(
      () => expect(giver.look()).toMatchObject({ released: 1, deleted: 1 }),
      PATIENCE,
    );
  });
});

// An addon imports an array, enqueues work on it on its own stream, and releases it after that.
describe.each(TAKING)('an array of ours from a capsule, with $way, its work $moment', (one) => {
  const { moment, way } = one;

  test('is released once its loans and our work have ended, not before', async () => {
    const array = keep(cuda.empty([LENGTH], 'uint8'));
    const stranger = keep(new Stranger(LENGTH));
    const held = keep(hold(streamOf(stranger)));
    const { id, order, data } = taker.take(array);
    behind(stranger, order, () => probe.memset(stranger.stream, data, 5, LENGTH));
    if (moment === 'ended') {
      held[Symbol.dispose]();
      stranger.finish();
    }
    const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2, data };
    const back = keep(cuda.asArray(giver.give({ ...gift, ...ORDERS[way](stranger) })));
    expect(back.memory).toMatchObject({ origin: 'loan' });
    const loan = keep(cuda.asArray(back));
    array[Symbol.dispose]();
    back[Symbol.dispose]();
    const queue = keep(cuda.createStream());
    const working = keep(hold(queue));
    const target = keep(cuda.empty([LENGTH], 'uint8'));
    await cuda.copy(target, loan, { queue });
    const { released, consumed } = giver.look();
    expect(released, 'while its loan lives').toBe(0);
    expect(consumed.length > 0).toBe(way === 'event, and hears');
    const elsewhere = taker.take(loan);
    loan[Symbol.dispose]();
    expect(giver.look().released, 'while another addon has it').toBe(0);
    taker.release(elsewhere.id, 'another');
    if (!queue.query()) expect(giver.look().released, 'while we read it').toBe(0);
    held[Symbol.dispose]();
    working[Symbol.dispose]();
    await queue.synchronize();
    await cuda.synchronize();
    await vi.waitFor(
      () => expect(giver.look()).toMatchObject({ released: 1, deleted: 1 }),
      PATIENCE,
    );
    expect(await onlyValue(target, queue)).toBe(5);
    taker.release(id, 'another');
  });
});

describe('an array from a capsule', () => {
  test('that names no order waits for nothing', async () => {
    const stranger = keep(new Stranger(LENGTH));
    stranger.write(5);
    stranger.finish();
    const held = keep(hold(cuda.stream(1n)));
    const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2 };
    const array = cuda.asArray(giver.give({ ...gift, data: stranger.pointer }));
    expect(array.memory).toMatchObject({ producerQueue: null });
    expect(await onlyValue(array)).toBe(5);
    held[Symbol.dispose]();
    array[Symbol.dispose]();
    await vi.waitFor(() => expect(giver.look()).toMatchObject({ released: 1 }), PATIENCE);
  });

  test.each(MOMENTS)('of ours shares the order, %s, also after its array', async (moment) => {
    const array = cuda.empty([LENGTH], 'uint8');
    const queue = keep(cuda.createStream());
    const held = keep(hold(queue));
    void cuda.fill(array, 3, { queue });
    if (moment === 'ended') {
      held[Symbol.dispose]();
      await queue.synchronize();
    }
    const capsule = array[arrayCapsule]();
    array[Symbol.dispose]();
    const loan = keep(cuda.asArray(capsule));
    expect(loan.memory).toMatchObject({ origin: 'loan' });
    expect(loan.pointer).toBe(array.memory.pointer);
    held[Symbol.dispose]();
    expect(await onlyValue(loan)).toBe(3);
  });

  test('stays as long as the loan of its dict', async () => {
    const stranger = keep(new Stranger(LENGTH));
    const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2 };
    const order = { kind: STREAM, order: stranger.stream };
    const first = cuda.asArray(giver.give({ ...gift, data: stranger.pointer, ...order }));
    const { __cuda_array_interface__ } = first;
    const second = cuda.asArray({ __cuda_array_interface__ });
    first[Symbol.dispose]();
    await cuda.fill(second, 3);
    await cuda.synchronize();
    expect(giver.look().released).toBe(0);
    await refused(() => cuda.asArray({ __cuda_array_interface__ }), 'ERR_DISPOSED');
    second[Symbol.dispose]();
    await vi.waitFor(() => expect(giver.look()).toMatchObject({ released: 1 }), PATIENCE);
  });

  test('lends its memory again, with its order', async () => {
    const stranger = keep(new Stranger(LENGTH));
    stranger.write(5);
    const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2 };
    const order = { kind: STREAM, order: stranger.stream };
    const array = cuda.asArray(giver.give({ ...gift, data: stranger.pointer, ...order }));
    const found = taker.take(array);
    expect(found).toMatchObject({ kind: STREAM, order: stranger.stream, device: [2, 0] });
    array[Symbol.dispose]();
    await cuda.synchronize();
    expect(giver.look().released).toBe(0);
    taker.release(found.id, 'another');
    await vi.waitFor(() => expect(giver.look()).toMatchObject({ released: 1 }), PATIENCE);
  });

  test('that is wrong is refused with what to do', async () => {
    const stranger = keep(new Stranger(LENGTH));
    const gift = { shape: [LENGTH], strides: [1], code: 1, bits: 8, deviceType: 2 };
    const data = { data: stranger.pointer };
    const give = (changes: object) => () =>
      cuda.asArray(giver.give({ ...gift, ...data, ...changes }));
    await refused(give({ deviceType: 1 }), 'ERR_NOT_ACCESSIBLE');
    await refused(give({ kind: 3, order: 64n }), 'ERR_STREAM');
    await refused(give({ kind: STREAM }), 'ERR_STREAM');
    await refused(give({ kind: EVENT }), 'ERR_STREAM');
    await refused(give({ shape: [2 ** 40] }), 'ERR_OUT_OF_BOUNDS');
    await refused(give({ data: 64n }), 'ERR_POINTER_UNKNOWN');
    await refused(() => cuda.asArray(giver.external()), 'ERR_NO_INTERFACE');
    await allReleased(giver, 6);
  });
});

test('capsules outlive the worker that made them, and nothing leaks', async () => {
  expect(await capsulesOfWorkers('cuda', `${import.meta.dirname}/..`)).toEqual({
    sum: 6,
    held: 2,
    left: 0,
    released: 2,
    deleted: 2,
    works: true,
  });
});
