import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';

const GC = { flags: ['--expose-gc'] } as const;
const COLLECT = `
  const collect = async (is, rounds = 2000) => {
    for (let i = 0; i < rounds; i++) {
      if (is()) return true;
      gc();
      await pause(5);
    }
    return false;
  };`;

/** Another library's memory, whose producer frees it when it is collected. */
const PRODUCER = `${COLLECT}
  const queue = sycl.createQueue();
  const theirs = referenceOf(queue);
  const freed = [];
  const producers = new FinalizationRegistry((pointer) => {
    freed.push(pointer);
    interposer.call('DPCTLfree_with_context', pointer, sycl.context()._get_capsule().pointer);
  });
  const produce = (size = 64) => {
    const pointer = interposer.call('DPCTLmalloc_shared', BigInt(size), theirs);
    const producer = { __sycl_usm_array_interface__:
      { shape: [size], typestr: '|u1', data: [pointer, false], version: 1, syclobj: 'cpu' } };
    producers.register(producer, pointer);
    return producer;
  };`;

describe('a producer', () => {
  test.each([
    ['disposed', 'array[Symbol.dispose]()'],
    ['collected', 'array = null'],
  ])(
    'is kept while work on its memory is pending, and no longer, when its array was %s',
    async (_, end) => {
      const program = `${PRODUCER}
      const other = sycl.createQueue();
      const own = sycl.empty([64], 'uint8');
      await sycl.copy(own, new Uint8Array(64));
      await sycl.synchronize();
      const release = hold(other);
      await (async () => {
        let array = sycl.asArray(produce());
        await sycl.copy(array, own, { queue: other });
        ${end};
      })();
      const during = await collect(() => freed.length > 0, 40);
      release();
      await other.synchronize();
      done({ during, after: await collect(() => freed.length > 0) });`;
      expect(await answerOf(program, { ...GC, keepsFreed: true })).toEqual({
        during: false,
        after: true,
      });
    },
  );

  test('has its memory shared with no other thread, by its whole or by a view', async () => {
    const program = `${PRODUCER}
      const loan = sycl.asArray(produce());
      const codes = [];
      for (const array of [loan, loan.slice([[1, 9]]), sycl.asArray(loan)])
        codes.push(await codeOf(() => sycl.share(array)), await codeOf(() => sycl.share(array, { threadsOnly: true })));
      done(codes);`;
    expect(await answerOf(program, { keepsFreed: true })).toEqual(Array(6).fill('ERR_TICKET'));
  });

  test('that keeps its own array is collected with it', async () => {
    const program = `${PRODUCER}
      await (async () => {
        for (let i = 0; i < 5; i++) {
          const producer = produce();
          producer.array = sycl.asArray(producer);
          producer.bytes = await producer.array.asTypedArray();
          await sycl.fill(producer.array, 1, { queue });
        }
      })();
      await sycl.synchronize();
      done(await collect(() => freed.length === 5));`;
    expect(await answerOf(program, { ...GC, keepsFreed: true })).toBe(true);
  });
});

describe('an array of ours', () => {
  test('that is collected with work pending is freed when the work has ended', async () => {
    const program = `${COLLECT}
      const queue = sycl.createQueue(), source = sycl.empty([64], 'uint8');
      await sycl.fill(source, 1);
      await sycl.synchronize();
      await until(() => counts().allocations === 1);
      const release = hold(queue);
      await (async () => {
        const array = sycl.empty([64], 'uint8');
        await sycl.copy(array, source, { queue });
      })();
      await collect(() => false, 20);
      const during = counts().allocations;
      release();
      const after = await until(() => counts().allocations === 1);
      done({ during, after });`;
    expect(await answerOf(program, GC)).toEqual({ during: 2, after: true });
  });

  test('is kept only by its loans', async () => {
    const program = `
      const array = await sycl.array([1, 2, 3]);
      const loans = [sycl.asArray(array), sycl.asArray(dictOf(array)), await array.forDpnp(), sycl.asArray(array.slice([[1, 3]]))];
      await array.synchronize();
      const views = [array.flip(), loans[0].flip()];
      const start = await until(() => counts().allocations === 1);
      const owners = loans.every((loan) => loan.base === null && loan !== array);
      array[Symbol.dispose]();
      const codes = [await codeOf(() => array.pointer), await codeOf(() => views[0].pointer)];
      const during = [counts().allocations, ...await sycl.toTypedArray(loans[1]), ...await sycl.toTypedArray(views[1])];
      for (const loan of loans) loan[Symbol.dispose]();
      codes.push(await codeOf(() => views[1].descriptor), await codeOf(() => sycl.asArray(array)));
      done({ start, owners, codes, during, after: await rest() });`;
    const disposed = Array(4).fill('ERR_DISPOSED');
    const during = [1, 1, 2, 3, 3, 2, 1];
    expect(await answerOf(program)).toEqual({
      start: true,
      owners: true,
      codes: disposed,
      during,
      after: true,
    });
  });

  test('is freed when its owner is disposed, whatever its views', async () => {
    const program = `${COLLECT}
      const views = [];
      const one = async () => {
        const array = await sycl.array([1, 2, 3, 4], { shape: [2, 2] });
        await sycl.fill(array.slice([0]).flip(), 5);
        views.push(array.transpose());
        array[Symbol.dispose]();
      };
      for (let i = 0; i < 100; i++) await one();
      done({ after: await rest(), views: views.length });`;
    expect(await answerOf(program)).toEqual({ after: true, views: 100 });
  });
});

test('V8 knows the bytes of arrays, so it collects those that nobody disposes', async () => {
  const program = `
    let most = 0;
    for (let i = 0; i < 200; i++) {
      sycl.empty([2 ** 26], 'uint8');
      await new Promise(setImmediate);
      most = Math.max(most, counts().allocations);
    }
    done(most < 100 || most);`;
  expect(await answerOf(program)).toBe(true);
});

test('a loan of borrowed memory stays in order with its producer', async () => {
  const program = `
    const queue = sycl.createQueue(), other = sycl.createQueue();
    const pointer = interposer.call('DPCTLmalloc_shared', 64n, referenceOf(queue));
    const dict = { shape: [64], typestr: '|u1', data: [pointer, false], version: 1, syclobj: queue };
    const first = sycl.asArray({ __sycl_usm_array_interface__: dict });
    const second = sycl.asArray(first);
    first[Symbol.dispose]();
    const target = sycl.empty([64], 'uint8');
    await sycl.synchronize();
    const release = hold(queue);
    interposer.call('DPCTLEvent_Delete', interposer.call('DPCTLQueue_Memset', referenceOf(queue), pointer, 7n, 64n));
    await sycl.copy(target, second, { queue: other });
    const during = await until(() => other.query(), 200);
    release();
    const [got] = await sycl.toTypedArray(target);
    second[Symbol.dispose]();
    await sycl.synchronize();
    interposer.call('DPCTLfree_with_context', pointer, sycl.context()._get_capsule().pointer);
    done({ during, got });`;
  expect(await answerOf(program)).toEqual({ during: false, got: 7 });
});
