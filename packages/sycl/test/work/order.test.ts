import { describe, expect, test } from 'vitest';
import { answerOf, PENDING_AND_ENDED } from '../support/interposed.js';

const ARRAYS = `
  const one = sycl.createQueue(), other = sycl.createQueue(), third = sycl.createQueue();
  const make = async (value, queue) => {
    const array = sycl.empty([1024], 'float32', queue ? { queue } : {});
    await sycl.fill(array, value);
    return array;
  };
  const first = async (array, options) => (await sycl.toTypedArray(array, options))[0];
  /** Looks longer for what is expected. */
  const isOver = (queue, isExpected) => until(() => queue.query(), isExpected ? 60_000 : 200);
  /** Leaves the work so far pending on a queue that is held, or ended. */
  const after = async (queue, state, work) => {
    const release = state === 'pending' ? hold(queue) : () => {};
    await work();
    if (state === 'ended') await sycl.synchronize();
    return release;
  };`;

describe.each(PENDING_AND_ENDED)('our work that is %s', (state) => {
  test.each(['lazy', 'random:3'])(
    'readers of one source do not wait for each other, %s',
    async (schedule) => {
      const program = `${ARRAYS}
      const source = await make(5, one), a = await make(1, one), b = await make(2, other);
      await sycl.synchronize();
      if ('${state}' === 'ended') { await sycl.copy(a, source, { queue: one }); await one.synchronize(); }
      const release = hold(one);
      await sycl.copy(a, source, { queue: one });
      await sycl.copy(b, source, { queue: other });
      const during = { other: await isOver(other, true), one: one.query(), b: await first(b, { queue: other }) };
      release();
      done({ during, a: await first(a) });`;
      const during = { other: true, one: false, b: 5 };
      expect(await answerOf(program, { schedule })).toEqual({ during, a: 5 });
    },
  );

  test('a writer waits for readers and writers on other queues', async () => {
    const program = `${ARRAYS}
      const source = await make(5, one), a = await make(1, one);
      await sycl.synchronize();
      const release = await after(one, '${state}', () => sycl.copy(a, source, { queue: one }));
      await sycl.fill(source, 6, { queue: other });
      await sycl.fill(a, 7, { queue: third });
      const during = [await isOver(other, ${state === 'ended'}), await isOver(third, ${state === 'ended'})];
      release();
      done({ during, source: await first(source), a: await first(a) });`;
    const during = state === 'pending' ? [false, false] : [true, true];
    expect(await answerOf(program)).toEqual({ during, source: 6, a: 7 });
  });

  test('a dict names a queue all the same, and always the same one', async () => {
    const program = `${ARRAYS}
      const mine = await make(1, one), nobodys = await make(1);
      const release = await after(other, '${state}', async () => {
        await sycl.fill(mine, 2, { queue: other });
        await sycl.fill(nobodys, 2, { queue: other });
      });
      const named = (array) => array.__sycl_usm_array_interface__.syclobj;
      const loan = sycl.asArray(dictOf(mine));
      const answer = [named(mine) === one, named(loan) === one, named(nobodys) === named(nobodys),
        named(mine.slice([[1, 9]])) === one];
      release();
      await sycl.synchronize();
      done([...answer, named(mine) === one, named(nobodys) === named(nobodys)]);`;
    expect(await answerOf(program)).toEqual(Array(6).fill(true));
  });

  test('a consumer’s read comes before our next write, on whatever queue', async () => {
    const program = `${ARRAYS}
      const array = await make(1, one);
      const target = interposer.call('DPCTLmalloc_shared', 4096n, referenceOf(third));
      const release = await after(one, '${state}', () => {});
      const named = referenceOf(array.__sycl_usm_array_interface__.syclobj);
      interposer.hold(named);
      const event = interposer.call('DPCTLQueue_Memcpy', named, target, array.pointer, 4096n);
      await sycl.fill(array, 2, { queue: other });
      const during = await isOver(other, false);
      interposer.release(named);
      interposer.call('DPCTLEvent_Wait', event);
      interposer.call('DPCTLEvent_Delete', event);
      const got = sycl.asArray({ __sycl_usm_array_interface__:
        { shape: [1024], typestr: '<f4', data: [target, false], version: 1, syclobj: 'cpu' } });
      const answer = { during, read: await first(got), now: await first(array) };
      got[Symbol.dispose]();
      await sycl.synchronize();
      interposer.call('DPCTLfree_with_context', target, sycl.context()._get_capsule().pointer);
      done(answer);`;
    expect(await answerOf(program)).toEqual({ during: false, read: 1, now: 2 });
  });

  test('a consumer’s read comes before the memory is freed', async () => {
    const program = `${ARRAYS}
      const array = await make(1, one);
      const { pointer } = array;
      const target = interposer.call('DPCTLmalloc_shared', 4096n, referenceOf(third));
      await after(one, '${state}', () => {});
      const named = referenceOf(array.__sycl_usm_array_interface__.syclobj);
      interposer.hold(named);
      const event = interposer.call('DPCTLQueue_Memcpy', named, target, pointer, 4096n);
      array[Symbol.dispose]();
      await pause(100);
      const next = sycl.empty([1024], 'float32');
      const during = { live: liveAllocations(), isOther: next.pointer !== pointer };
      await sycl.fill(next, 9);
      await next.synchronize();
      interposer.release(named);
      interposer.call('DPCTLEvent_Wait', event);
      interposer.call('DPCTLEvent_Delete', event);
      const left = await until(() => liveAllocations() === 1);
      interposer.call('DPCTLfree_with_context', target, sycl.context()._get_capsule().pointer);
      done({ during, left });`;
    const during = { live: 2, isOther: true };
    expect(await answerOf(program)).toEqual({ during, left: true });
  });

  test('the lender knows work on a loan, and vice versa', async () => {
    const program = `${ARRAYS}
      const array = await make(1, one);
      const loan = sycl.asArray({ __sycl_usm_array_interface__: { ...array.__sycl_usm_array_interface__, syclobj: 'cpu' } });
      await sycl.synchronize();
      const release = await after(other, '${state}', () => sycl.fill(loan, 2, { queue: other }));
      await sycl.fill(array, 3, { queue: third });
      const during = await isOver(third, ${state === 'ended'});
      release();
      await sycl.synchronize();
      const again = await after(one, '${state}', () => sycl.fill(array, 4, { queue: one }));
      await sycl.fill(loan, 5, { queue: other });
      const reverse = await isOver(other, ${state === 'ended'});
      again();
      done({ during, reverse, array: await first(array), loan: await first(loan) });`;
    const isEnded = state === 'ended';
    const answer = { during: isEnded, reverse: isEnded, array: 5, loan: 5 };
    expect(await answerOf(program)).toEqual(answer);
  });

  test('a borrower’s work starts after the producer’s, which goes on after it', async () => {
    const program = `${ARRAYS}
      const queue = referenceOf(third);
      const pointer = interposer.call('DPCTLmalloc_shared', 4096n, queue);
      const borrowed = sycl.asArray({ __sycl_usm_array_interface__:
        { shape: [4096], typestr: '|u1', data: [pointer, false], version: 1, syclobj: third } });
      const fill = (value) => interposer.call('DPCTLEvent_Delete', interposer.call('DPCTLQueue_Memset', queue, pointer, BigInt(value), 4096n));
      const copied = sycl.empty([4096], 'uint8', { queue: other });
      const release = await after(third, '${state}', () => fill(7));
      await sycl.copy(copied, borrowed, { queue: other });
      const during = await isOver(other, ${state === 'ended'});
      release();
      const got = await first(copied);
      const hand = await after(other, '${state}', () => sycl.fill(borrowed, 8, { queue: other }));
      fill(9);
      const late = await isOver(third, ${state === 'ended'});
      hand();
      const answer = { during, late, got, last: await first(borrowed) };
      borrowed[Symbol.dispose]();
      await sycl.synchronize();
      interposer.call('DPCTLfree_with_context', pointer, sycl.context()._get_capsule().pointer);
      done(answer);`;
    const isEnded = state === 'ended';
    const answer = { during: isEnded, late: isEnded, got: 7, last: 9 };
    expect(await answerOf(program)).toEqual(answer);
  });

  test('staging memory is freed when its copy has ended, and waiting for the array sees both', async () => {
    const program = `${ARRAYS}
      const array = sycl.empty([1024], 'float32', { queue: one });
      const release = await after(one, '${state}', () => sycl.copy(array, new Float32Array(1024).fill(3)));
      let isSettled = false;
      const settled = array.synchronize().then(() => { isSettled = true; });
      await until(() => isSettled, ${state === 'ended'} ? 60_000 : 100);
      await until(() => liveAllocations() === 1, ${state === 'ended'} ? 60_000 : 0);
      const during = { isSettled, live: liveAllocations() };
      release();
      await settled;
      done({ during, left: await until(() => liveAllocations() === 1), value: await first(array) });`;
    const isEnded = state === 'ended';
    const during = { isSettled: isEnded, live: isEnded ? 1 : 2 };
    expect(await answerOf(program)).toEqual({ during, left: true, value: 3 });
  });
});

test('sync block waits on the calling thread, sync none does not wait', async () => {
  const program = `${ARRAYS}
    const array = await make(1);
    const borrow = (sync) => sycl.asArray({ __sycl_usm_array_interface__:
      { ...array.__sycl_usm_array_interface__, syclobj: third } }, { sync });
    const block = borrow('block'), none = borrow('none');
    await sycl.synchronize();
    const foreign = interposer.call('DPCTLmalloc_shared', 4096n, referenceOf(third));
    interposer.call('DPCTLEvent_Delete', interposer.call('DPCTLQueue_Memset', referenceOf(third), foreign, 1n, 4096n));
    const event = third.record();
    sycl.fill(block, 4, { queue: other });
    const answer = { before: event.query(), after: other.query() };
    interposer.hold(referenceOf(third));
    interposer.call('DPCTLEvent_Delete', interposer.call('DPCTLQueue_Memset', referenceOf(third), foreign, 2n, 4096n));
    await sycl.fill(none, 5, { queue: other });
    const isFree = await isOver(other, true);
    interposer.release(referenceOf(third));
    await sycl.synchronize();
    interposer.call('DPCTLfree_with_context', foreign, sycl.context()._get_capsule().pointer);
    done({ ...answer, isFree });`;
  expect(await answerOf(program, { schedule: 'eager' })).toEqual({
    before: true,
    after: true,
    isFree: true,
  });
});

test('a producer’s work comes before work of the opener of a loan’s ticket', async () => {
  const program = `${ARRAYS}
    const array = await make(1);
    const loan = sycl.asArray({ __sycl_usm_array_interface__:
      { ...array.__sycl_usm_array_interface__, syclobj: third } });
    await sycl.synchronize();
    interposer.hold(referenceOf(third));
    interposer.call('DPCTLEvent_Delete', interposer.call('DPCTLQueue_Memset', referenceOf(third), array.pointer, 7n, 4096n));
    const ticket = sycl.share(loan);
    const opened = sycl.openShared(ticket);
    const read = sycl.toTypedArray(opened.view('uint8'), { queue: other });
    const isEarly = await Promise.race([read.then(() => true), new Promise((go) => setTimeout(go, 100, false))]);
    interposer.release(referenceOf(third));
    done({ isEarly, value: (await read)[0] });`;
  expect(await answerOf(program)).toEqual({ isEarly: false, value: 7 });
});

test('on an out-of-order native queue, our work starts after other libraries’ work there', async () => {
  const program = `
    const queue = sycl.createQueue({ inOrder: false });
    const reference = referenceOf(queue);
    const a = sycl.empty([1024], 'float32', { queue }), b = sycl.empty([1024], 'float32', { queue });
    await sycl.fill(a, 1);
    const { number, queue: its } = interposer.log().findLast(({ what }) => what === 'run' || what === 'copy');
    for (const from of [a, a.flip(), b]) {
      const { pointer } = from === b ? a : b;
      interposer.call('DPCTLEvent_Delete', interposer.call('DPCTLQueue_Memset', reference, pointer, 1n, 4096n));
      await sycl.copy(from === b ? a : b, from);
    }
    await sycl.synchronize();
    const made = whats(interposer.log(number).filter((entry) => entry.queue === its))
      .filter((what) => ['run', 'copy', 'barrier', 'fill'].includes(what));
    const works = made.flatMap((what, i) => (what === 'run' || what === 'copy' ? [made.slice(i - 2, i)] : []));
    done(works);`;
  const before = ['fill', 'barrier'];
  expect(await answerOf(program)).toEqual([before, before, before]);
});

test.each([true, false])(
  'an event comes after all that its queue has, in order: %s',
  async (inOrder) => {
    const program = `
    const queue = sycl.createQueue({ inOrder });
    const array = sycl.empty([1024], 'float32', { queue });
    const events = [];
    const note = () => [...events.map((event) => event.query()), queue.query()];
    await sycl.fill(array, 1);
    await queue.synchronize();
    events.push(queue.record());
    interposer.holdDevice(0); // not hold(), which would hand the queue out
    await sycl.fill(array, 2);
    events.push(queue.record());
    const during = note();
    interposer.releaseDevice(0);
    await events[1].synchronize();
    done([during, note()]);`;
    const answer = await answerOf(`const inOrder = ${inOrder};${program}`);
    expect(answer).toEqual([
      [true, false, false],
      [true, true, true],
    ]);
  },
);
