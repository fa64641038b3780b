import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';

// A queue that ends while the runtime records no event after its work: nobody can tell when the work
// has ended. The end is no error, and what the work needs stays alive.

describe.each(['Queue_SubmitBarrier:*', 'Queue_SubmitBarrier:*:throw'])('%s', (fault) => {
  test.each([true, false])('the end of a queue, in order: %s', async (inOrder) => {
    const program = `
      const queue = sycl.createQueue({ inOrder: ${inOrder} });
      const array = sycl.empty([1000], 'uint8', { queue });
      await sycl.fill(array, 1);
      await sycl.synchronize();
      const { pointer } = array;
      const bare = sycl.createQueue({ inOrder: ${inOrder} });
      const releases = [queue, bare].map(hold);
      await sycl.fill(array, 2, { queue });
      dictOf(array);
      const before = interposer.live().queues;
      interposer.fail('${fault}');
      const thrown = [array, queue, bare].map((one) => {
        try { one[Symbol.dispose](); return 'nothing'; } catch (error) { return String(error); }
      });
      await pause(50);
      const kept = interposer.live().queues === before;
      const next = sycl.empty([1000], 'uint8');
      const isAnother = next.pointer !== pointer;
      next[Symbol.dispose]();
      for (const release of releases) release();
      await pause(50);
      const stays = interposer.live().queues === before && counts().allocations > 0;
      interposer.fail('');
      const isGone = await until(() => interposer.live().queues === before - 2);
      done({ thrown, kept, isAnother, stays, isGone, isEmpty: await rest() });`;
    expect(await answerOf(program, { schedule: 'lazy' })).toEqual({
      thrown: ['nothing', 'nothing', 'nothing'],
      kept: true,
      isAnother: true,
      stays: true,
      isGone: true,
      isEmpty: true,
    });
  });
});
