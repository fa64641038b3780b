import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';

// In-order queues that are used again: Intel's runtime keeps something for good of each that got work.
// The interposer counts those that the library makes.

const QUEUES = `
  const array = await sycl.array(new Uint8Array(64));
  await sycl.toTypedArray(array);
  await sycl.synchronize();
  interposer.forget();
  const made = () => whats(interposer.log()).filter((what) => what === 'create queue').length;
  const own = counts().queues;
  const ended = () => until(() => counts().queues === own);
`;

const KINDS = [{}, { profiling: true }].map((kind) => [kind]);

describe.each(KINDS)('queues with %o', (kind) => {
  const options = JSON.stringify(kind);

  test('that come and go are the same', async () => {
    const program = `${QUEUES}
      let sum = 0;
      for (let round = 0; round < 100; round++) {
        const queue = sycl.createQueue(${options});
        const filled = sycl.empty([64], 'uint8', { queue });
        await sycl.fill(filled, round);
        queue[Symbol.dispose]();
        sum += (await sycl.toTypedArray(filled))[9];
        filled[Symbol.dispose]();
        await ended();
      }
      done([made(), counts().cachedQueues, sum]);`;
    expect(await answerOf(program)).toEqual([1, 1, 4950]);
  });

  test('are not reused while work is pending, nor once somebody else may know them', async () => {
    const program = `${QUEUES}
      const begin = async () => {
        const queue = sycl.createQueue(${options});
        const filled = sycl.empty([64], 'uint8', { queue });
        await sycl.fill(filled, 1);
        return [filled, queue];
      };
      const end = (things) => { for (const thing of things) thing[Symbol.dispose](); };
      const named = await begin();
      referenceOf(named[1]);
      end(named);
      await ended();
      const afterNamed = counts().cachedQueues;
      interposer.holdDevice(0);
      end(await begin());
      await pause(50);
      const whilePending = counts().cachedQueues;
      interposer.releaseDevice(0);
      await ended();
      done([afterNamed, whilePending, counts().cachedQueues, made()]);`;
    expect(await answerOf(program)).toEqual([0, 0, 1, 2]);
  });
});

test('a queue without work gets no command', async () => {
  const program = `${QUEUES}
    for (const inOrder of [true, false]) {
      const queues = [sycl.createQueue({ inOrder }), sycl.createQueue({ inOrder })];
      const event = queues[0].record();
      queues[1].wait(event);
      await event.synchronize();
      await queues[0].synchronize();
      await sycl.synchronize();
      if (!event.query() || !queues[0].query()) throw new Error('expected to have ended');
      for (const queue of queues) queue[Symbol.dispose]();
    }
    await ended();
    done([...new Set(whats(interposer.log()))]);`;
  const seen = (await answerOf(program)) as string[];
  expect(seen).toContain('create queue');
  expect(seen.filter((what) => what.includes('barrier'))).toEqual([]);
});

test('a limited number is cached for each device and context, until that ends', async () => {
  const program = `${QUEUES}
    const before = interposer.live().queues;
    const queues = Array.from({ length: 100 }, () => sycl.createQueue());
    for (const queue of queues) queue[Symbol.dispose]();
    await ended();
    const kept = [counts().cachedQueues, interposer.live().queues - before];
    const inPart = () => {
      const [context] = sycl.divide(0, 1);
      sycl.createQueue({ context })[Symbol.dispose]();
    };
    inPart();
    await ended();
    const withPart = counts().cachedQueues;
    const isGone = await until(() => { gc(); return counts().cachedQueues === kept[0]; });
    done([...kept, withPart, isGone]);`;
  expect(await answerOf(program, { flags: ['--expose-gc'] })).toEqual([64, 64, 65, true]);
});
