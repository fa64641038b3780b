import { arrayCapsule } from '@array-interface/core/backend';
import {
  allReleased,
  capsulesOfWorkers,
  foreignAddons,
  foreignFlags,
  livesWhileHeld,
} from '@array-interface/foreign';
import { leavesNothing } from '@array-interface/lifetimes';
import { sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';
import { answerOf, PENDING_AND_ENDED } from '../support/interposed.js';
import { dpctl, OtherQueue } from '../support/other-library.js';
import { refused } from '../support/refused.js';

// Two addons that know nothing but array_interface.h: one imports our arrays, one exports its own.

const folder = `${import.meta.dirname}/../..`;
const { giver, taker } = foreignAddons(folder);
const flags = foreignFlags(folder);

const [READY, QUEUE, EVENT] = [0, 3, 4];
const ONE_API = 14;
const NOTHING = { released: 0, deleted: 0, elsewhere: 0, consumed: [] };

leavesNothing(
  () => taker.letGo(),
  async () => {
    await sycl.synchronize();
    expect(giver.look()).toEqual(NOTHING);
  },
);

const released = () =>
  vi.waitFor(() => expect(giver.look()).toMatchObject({ released: 1, deleted: 1 }), 60_000);

describe('a capsule of an array', () => {
  test.each(['device', 'shared', 'host'] as const)(
    'of %s memory names its queue and context',
    (memoryKind) => {
      using queue = sycl.createQueue();
      using array = sycl.empty([4, 6], 'float32', { memoryKind, queue });
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
        device: [ONE_API, 0],
        kind: QUEUE,
        order: queue._get_capsule().pointer,
        hears: true,
        typestr: null,
      });
      const context = dpctl('Queue_GetContext', found.order);
      expect(dpctl('Context_AreEq', context, found.context) & 1n).toBe(1n);
      dpctl('Context_Delete', context);
      taker.release(found.id, 'another');
    },
  );

  test('keeps memory and queue after both were disposed', async () => {
    const queue = sycl.createQueue();
    const array = await sycl.array([1, 2, 3], { dtype: 'float32', memoryKind: 'shared', queue });
    const capsule = array[arrayCapsule]();
    array[Symbol.dispose]();
    queue[Symbol.dispose]();
    const loan = sycl.asArray(capsule);
    const { id } = taker.take(loan);
    loan[Symbol.dispose]();
    await sycl.synchronize();
    expect(taker.sum(id)).toBe(6);
    taker.keepTensor(id);
    taker.release(id, 'another');
    expect(sycl.inspectPointer(array.memory.pointer).memoryKind).toBe('shared');
    taker.release(id, 'another');
  });

  test('keeps the producer of its memory until its consumer releases it', async () => {
    using other = new OtherQueue(true);
    const data = [other.allocate(64), false] as const;
    const lives = await livesWhileHeld(() => {
      const syclobj = { _get_capsule: () => ({ name: 'SyclQueueRef', pointer: other.queue }) };
      const dict = { shape: [64], typestr: '|u1', data, version: 1, syclobj } as const;
      const object = { __sycl_usm_array_interface__: dict };
      using array = sycl.asArray(object as never);
      const { id } = taker.take(array);
      return { object, end: () => taker.release(id, 'another') };
    });
    expect(lives).toEqual([true, false]);
  });

  test('can be used once', async () => {
    using array = sycl.empty([1], 'float32');
    const capsule = array[arrayCapsule]();
    taker.release(taker.take(capsule).id, 'here');
    await refused('ERR_DISPOSED', () => sycl.asArray(capsule));
  });
});

describe('an array from a capsule', () => {
  const gift = { shape: [3], strides: [1], code: 1, bits: 8, deviceType: ONE_API };

  test.each([true, false])('is borrowed by its queue; in its own context: %s', async (isOwn) => {
    using other = new OtherQueue(isOwn);
    const data = other.allocate(3, 7);
    const array = sycl.asArray(giver.give({ ...gift, data, kind: QUEUE, order: other.queue }));
    expect([...(await sycl.toTypedArray(array))]).toEqual([7, 7, 7]);
    await sycl.fill(array, 8);
    expect([...(await sycl.toTypedArray(array))]).toEqual([8, 8, 8]);
    expect(giver.look()).toEqual(NOTHING);
    array[Symbol.dispose]();
    await released();
  });

  test.each([true, false])(
    'is borrowed by its context, or its address; it is named: %s',
    async (isNamed) => {
      using other = new OtherQueue(isNamed);
      const data = other.allocate(3, 7);
      for (const kind of [READY, EVENT]) {
        const event = dpctl('Queue_SubmitBarrier', other.queue);
        const ordered = kind === READY ? {} : { kind, order: event, hears: true };
        const context = isNamed ? { context: other.context } : {};
        const array = sycl.asArray(giver.give({ ...gift, data, ...ordered, ...context }));
        const found = taker.take(array);
        expect([...(await sycl.toTypedArray(array))]).toEqual([7, 7, 7]);
        array[Symbol.dispose]();
        taker.release(found.id, 'another');
        await sycl.synchronize();
        dpctl('Event_Delete', event);
        const seen = await vi.waitFor(() => {
          const looked = giver.look();
          expect(looked).toMatchObject({ released: 1, deleted: 1 });
          return looked;
        }, 60_000);
        expect(seen.consumed.every(([is]) => is === QUEUE)).toBe(true);
      }
    },
  );

  test('that is wrong is refused with what to do', async () => {
    using other = new OtherQueue(true);
    const data = other.allocate(3);
    const order = { kind: QUEUE, order: other.queue };
    const give = (changes: object) => () =>
      sycl.asArray(giver.give({ ...gift, data, ...order, ...changes }));
    await refused('ERR_NOT_ACCESSIBLE', give({ deviceType: 1 }));
    await refused('ERR_STREAM', give({ kind: 1, order: 1n }));
    await refused('ERR_STREAM', give({ kind: EVENT, order: 0n }));
    await refused('ERR_SYCLOBJ', give({ order: 0x1000n }));
    await refused('ERR_SYCLOBJ', give({ kind: READY, context: 0x1000n }));
    await refused('ERR_SYCLOBJ', give({ kind: EVENT, context: 0x1000n }));
    await refused('ERR_SYCLOBJ', give({ kind: EVENT, data: 0x1000n }));
    await refused('ERR_POINTER_UNKNOWN', give({ data: 0x1000n }));
    await refused('ERR_POINTER_UNKNOWN', give({ data: 0x1000n, kind: READY }));
    await refused('ERR_OUT_OF_BOUNDS', give({ shape: [2 ** 40] }));
    await refused('ERR_NO_INTERFACE', () => sycl.asArray(giver.external()));
    await allReleased(giver, 10);
  });
});

/** Beside the interposer: a library with a queue of its own, which the addons work for. */
const PROGRAM = `
  import { capsulesOfWorkers, foreignAddons } from '@array-interface/foreign';
  import { arrayCapsule, capsuleContents } from '@array-interface/core/backend';
  const { giver, taker } = foreignAddons('../..');
  const one = sycl.createQueue(), other = sycl.createQueue();
  const call = (name, ...words) => interposer.call('DPCTL' + name, ...words);
  const device = call('Queue_GetDevice', referenceOf(one)), context = call('Queue_GetContext', referenceOf(one));
  const foreign = call('Queue_Create', context, device, 0n, 2n);
  const memory = call('malloc_shared', 1024n, foreign);
  const drop = (event) => call('Event_Delete', event);
  const behind = (queue, event) =>
    drop(call('Queue_SubmitBarrierForEvents', queue, probe.address(BigUint64Array.of(event).buffer), 1n));
  const memset = (queue, to, value) => call('Queue_Memset', queue, to, value, 1024n);
  const valueAt = async (pointer) => {
    const got = sycl.asArray({ __sycl_usm_array_interface__:
      { shape: [1024], typestr: '|u1', data: [pointer, false], version: 1, syclobj: 'cpu' } });
    const values = new Set(await sycl.toTypedArray(got));
    got[Symbol.dispose]();
    return values.size === 1 ? [...values][0] : [...values];
  };
  const isOver = (queue, isExpected) => until(() => queue.query(), isExpected ? 60_000 : 200);
  const finish = async (answer) => {
    await sycl.synchronize();
    call('Queue_Wait', foreign);
    await rest();
    call('free_with_context', memory, context);
    call('Queue_Delete', foreign), call('Context_Delete', context), call('Device_Delete', device);
    done(answer);
  };`;

const HALVES = {
  'by the queue itself': 'behind(found.order, event);',
  'by consumed, with its queue': 'taker.consumed(found.id, 3, foreign);',
  'by consumed, with an event': 'taker.consumed(found.id, 4, event);',
} as const;

// As on CUDA if the stream is captured: the thread that notifies of the work waits for it then.
test.each([
  ['its queue', 3, 'foreign'],
  ['an event', 4, 'event'],
] as const)(
  'consumed, with %s, if our queue accepts no wait, waits itself',
  async (_, kind, order) => {
    const program = `${PROGRAM}
    const array = sycl.empty([1024], 'uint8', { queue: one, memoryKind: 'shared' });
    await sycl.fill(array, 1);
    await array.synchronize();
    const found = taker.take(array);
    const event = memset(foreign, found.data, 7);
    interposer.fail('Queue_SubmitBarrierForEvents:*,Queue_SubmitBarrier:*');
    taker.consumed(found.id, ${kind}, ${order});
    interposer.fail('');
    const read = [...new Set(await sycl.toTypedArray(array, { queue: other }))];
    drop(event);
    taker.release(found.id, 'another');
    array[Symbol.dispose]();
    await finish({ read });`;
    expect(await answerOf(program, { schedule: 'lazy' })).toEqual({ read: [7] });
  },
);

describe.each(PENDING_AND_ENDED)('work that is %s', (state) => {
  test.each(Object.entries(HALVES))(
    'of ours, before and after a consumer’s, %s',
    async (_, half) => {
      const program = `${PROGRAM}
      const array = sycl.empty([1024], 'uint8', { queue: one, memoryKind: 'shared' });
      const release = hold(one);
      await sycl.fill(array, 1);
      if ('${state}' === 'ended') { release(); await one.synchronize(); }
      const found = taker.take(array);
      const ready = call('Queue_SubmitBarrier', found.order);
      behind(foreign, ready), drop(ready);
      interposer.hold(foreign);
      const event = call('Queue_Memcpy', foreign, memory, found.data, 1024n);
      ${half}
      drop(event);
      taker.release(found.id, 'another');
      await sycl.fill(array, 2, { queue: other });
      if ('${state}' === 'pending') release();
      const during = await isOver(other, false);
      interposer.release(foreign);
      await other.synchronize();
      const answer = { during, read: await valueAt(memory), now: await valueAt(array.pointer) };
      array[Symbol.dispose]();
      await finish(answer);`;
      expect(await answerOf(program, { flags })).toEqual({ during: false, read: 1, now: 2 });
    },
  );

  test.each(Object.entries(HALVES))('of a consumer keeps disposed memory, %s', async (_, half) => {
    const program = `${PROGRAM}
      const array = sycl.empty([1024], 'uint8', { queue: one });
      await sycl.fill(array, 1);
      if ('${state}' === 'ended') await one.synchronize();
      const found = taker.take(array);
      array[Symbol.dispose]();
      const ready = call('Queue_SubmitBarrier', found.order);
      behind(foreign, ready), drop(ready);
      interposer.hold(foreign);
      const event = call('Queue_Memcpy', foreign, memory, found.data, 1024n);
      ${half}
      drop(event);
      taker.release(found.id, 'another');
      await until(() => counts().allocations === 1); // the fill's own memory goes
      await pause(100);
      const during = counts().allocations;
      interposer.release(foreign);
      call('Queue_Wait', foreign);
      await finish({ during, read: await valueAt(memory) });`;
    expect(await answerOf(program, { flags })).toEqual({ during: 1, read: 1 });
  });

  const ORDERS = {
    queue: '{ kind: 3, order: foreign }',
    event: '{ kind: 4, order: event }',
    'event, and hears': '{ kind: 4, order: event, hears: true }',
  } as const;
  const BY = ['itself', 'a loan of its dict'] as const;
  test.each(BY.flatMap((by) => Object.entries(ORDERS).map(([way, order]) => [way, by, order])))(
    'of a producer, before and after ours, by %s, on %s',
    async (way, by, order) => {
      const program = `${PROGRAM}
      interposer.hold(foreign);
      const event = memset(foreign, memory, 5);
      if ('${state}' === 'ended') { interposer.release(foreign); call('Queue_Wait', foreign); }
      const gift = { shape: [1024], strides: [1], code: 1, bits: 8, deviceType: 14, data: memory };
      const array = sycl.asArray(giver.give({ ...gift, ...${order} }));
      const target = sycl.empty([1024], 'uint8', { memoryKind: 'shared' });
      await sycl.copy(target, array, { queue: other });
      const during = await isOver(other, ${state === 'ended'});
      const release = hold(other);
      const dict = array.__sycl_usm_array_interface__;
      const on = '${by}' === 'itself' ? array : sycl.asArray({ __sycl_usm_array_interface__: dict });
      giver.look();
      await sycl.fill(on, 6, { queue: other });
      if ('${state}' === 'pending') interposer.release(foreign);
      on[Symbol.dispose](), array[Symbol.dispose]();
      await pause(50);
      const early = giver.look();
      if ('${way}' === 'event') { release(); await until(() => giver.look().released === 1); }
      for (const [kind, queue] of early.consumed) {
        const told = call('Queue_SubmitBarrier', queue);
        behind(foreign, told), drop(told);
      }
      const seen = call('malloc_shared', 1024n, foreign);
      drop(call('Queue_Memcpy', foreign, seen, memory, 1024n));
      drop(memset(foreign, memory, 8));
      release();
      call('Queue_Wait', foreign);
      drop(event);
      await sycl.synchronize();
      if ('${way}' !== 'event') await until(() => giver.look().released === 1);
      const answer = { during, early: early.released, told: early.consumed.length > 0,
        read: await valueAt(target.pointer), seen: await valueAt(seen), now: await valueAt(memory) };
      call('free_with_context', seen, context);
      target[Symbol.dispose]();
      await finish(answer);`;
      const told = way === 'event, and hears';
      expect(await answerOf(program, { flags })).toEqual({
        during: state === 'ended',
        early: 0,
        told,
        read: 5,
        seen: 6,
        now: 8,
      });
    },
  );
});

describe.each(PENDING_AND_ENDED)('our own array from an addon, its work %s', (state) => {
  test.each(['queue', 'event', 'event, and hears'])(
    'after its %s, is released once its loans and our work have ended',
    async (way) => {
      const program = `${PROGRAM}
      const array = sycl.empty([1024], 'uint8', { queue: one });
      const found = taker.take(array);
      interposer.hold(foreign);
      const event = memset(foreign, found.data, 5);
      if ('${state}' === 'ended') { interposer.release(foreign); call('Queue_Wait', foreign); }
      const orders = { queue: { kind: 3, order: foreign }, event: { kind: 4, order: event },
        'event, and hears': { kind: 4, order: event, hears: true } };
      const gift = { shape: [1024], strides: [1], code: 1, bits: 8, deviceType: 14, data: found.data };
      const back = sycl.asArray(giver.give({ ...gift, ...orders['${way}'] }));
      const isSame = back.memory.pointer === array.memory.pointer;
      const loan = sycl.asArray(back);
      array[Symbol.dispose](), back[Symbol.dispose]();
      const target = sycl.empty([1024], 'uint8', { memoryKind: 'shared' });
      const release = hold(other);
      await sycl.copy(target, loan, { queue: other });
      const { released, consumed } = giver.look();
      const elsewhere = taker.take(loan);
      loan[Symbol.dispose]();
      const taken = giver.look().released;
      taker.release(elsewhere.id, 'another');
      await pause(50);
      const working = giver.look().released;
      if ('${state}' === 'pending') interposer.release(foreign);
      release();
      await other.synchronize();
      drop(event);
      let after = 0;
      await until(() => (after += giver.look().released) === 1);
      const answer = { isSame, released, told: consumed.length > 0, taken, working, after,
        read: await valueAt(target.pointer) };
      taker.release(found.id, 'another');
      target[Symbol.dispose]();
      await finish(answer);`;
      expect(await answerOf(program, { flags })).toEqual({
        ...{ isSame: true, released: 0, taken: 0, working: 0, after: 1, read: 5 },
        told: way === 'event, and hears',
      });
    },
  );
});

test('consumed, with our queue that is ending, waits for its work itself', async () => {
  const program = `${PROGRAM}
    const array = sycl.empty([1024], 'uint8', { queue: one, memoryKind: 'shared' });
    const found = taker.take(array);
    const ending = sycl.createQueue();
    const reference = referenceOf(ending);
    const event = memset(reference, found.data, 7);
    ending[Symbol.dispose]();
    taker.consumed(found.id, 3, reference);
    const status = Number(call('Event_GetCommandExecutionStatus', event));
    drop(event);
    taker.release(found.id, 'another');
    const answer = { status, read: await valueAt(array.pointer) };
    array[Symbol.dispose]();
    await finish(answer);`;
  const answer = await answerOf(program, { flags, schedule: 'lazy' });
  expect(answer).toEqual({ status: 3, read: 7 });
});

test('an addon may release an array when the runtime has ended with the process', async () => {
  const program = `
    import { foreignTaker } from '@array-interface/foreign';
    const taker = foreignTaker('../..');
    const queue = sycl.createQueue();
    const array = sycl.empty([64], 'uint8', { queue });
    taker.release(taker.take(array).id, 'at exit');
    array[Symbol.dispose]();
    queue[Symbol.dispose]();
    done('the end');`;
  expect(await answerOf(program, { flags })).toBe('the end');
});

test('consumed without a queue or an event names no work, and ends nothing', async () => {
  const program = `${PROGRAM}
    const array = sycl.empty([1024], 'uint8', { queue: one, memoryKind: 'shared' });
    const found = taker.take(array);
    for (const kind of [3, 4]) taker.consumed(found.id, kind, 0n);
    taker.release(found.id, 'another');
    await sycl.fill(array, 5);
    const read = (await sycl.toTypedArray(array))[1023];
    array[Symbol.dispose]();
    await finish(read);`;
  expect(await answerOf(program, { flags })).toBe(5);
});

test('an event of a released array is refused', async () => {
  const program = `${PROGRAM}
    const event = call('Queue_SubmitBarrier', foreign);
    const gift = { shape: [1024], strides: [1], code: 1, bits: 8, deviceType: 14, data: memory };
    const gone = giver.give({ ...gift, kind: 4, order: event });
    const { handle } = native.importCapsule(gone, capsuleContents);
    const { handle: contextDevice } = native.queryPointer(memory).contextDevice;
    native.endMemory(native.borrow(contextDevice, memory, handle).handle);
    await until(() => giver.look().released === 1);
    const code = await codeOf(() => native.enqueueWaitForProducer(one.native, handle));
    drop(event);
    await finish(code);`;
  expect(await answerOf(program, { flags })).toBe('ERR_DISPOSED');
});

test('capsules outlive the worker that made them, and nothing leaks', async () => {
  expect(await capsulesOfWorkers('sycl', `${import.meta.dirname}/..`)).toEqual({
    sum: 6,
    held: 2,
    left: 0,
    released: 2,
    deleted: 2,
    works: true,
  });
});
