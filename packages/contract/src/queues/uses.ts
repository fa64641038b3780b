import type { BackendArray, BackendQueue, UsedArrays } from '@array-interface/core';
import { describe, expect, test as plain } from 'vitest';
import { pendingOrEnded, withFixtures } from '../support/fixtures.js';
import { keepsNothing } from '../support/keeps-nothing.js';
import { OtherQueue } from '../support/other-queue.js';
import { refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';
import { randomUses } from './random-uses.js';

const LENGTH = 1000;

/** Work that the caller enqueues on a queue of the backend is ordered with all other work. */
export function uses(subject: BackendSubject): void {
  const { backend } = subject;
  const empty = () => backend.empty([LENGTH], 'float32');
  const test = withFixtures(backend, { source: empty, target: empty });
  randomUses(subject);

  describe.each(pendingOrEnded(backend))('use, with the work %s', (_, settle) => {
    test('runs after earlier work and before later work, also if it throws', async ({
      first,
      second,
      source,
      target,
      work,
    }) => {
      work.push(backend.fill(source, 4, { queue: first }));
      await settle();
      const copied = await backend.use(second, { reads: [source], writes: [target] }, (queue) => {
        work.push(backend.copy(target, source, { queue }));
        return 'copied';
      });
      expect(copied).toBe('copied');
      await settle();
      work.push(backend.fill(source, 0, { queue: first }));
      const failed = backend.use(second, { writes: [source] }, (queue) => {
        work.push(backend.fill(source, 6, { queue }));
        throw new Error('on purpose');
      });
      await expect(failed).rejects.toThrow('on purpose');
      expect(await backend.toTypedArray(target)).toEqual(new Float32Array(LENGTH).fill(4));
      expect(await backend.toTypedArray(source)).toEqual(new Float32Array(LENGTH).fill(6));
    });
  });

  describe('a refused use', () => {
    keepsNothing(subject);

    const none = 3 as unknown as BackendArray;
    const useOf = (queue: BackendQueue, arrays: UsedArrays) => () =>
      backend.use(queue, arrays, () => expect.unreachable());

    plain('of what is not an array, and of a queue of another backend', async () => {
      using queue = backend.createQueue();
      using array = backend.empty([LENGTH], 'float32');
      const other = new OtherQueue();
      await refused(useOf(queue, { reads: [none] }), 'ERR_TYPE');
      await refused(useOf(queue, { reads: none as never }), 'ERR_ARGUMENT');
      await refused(useOf(other, { writes: [array] }), 'ERR_ARGUMENT');
      await refused(() => array.recordUse(other), 'ERR_ARGUMENT');
      for (const no of [undefined, null, {}]) {
        await refused(() => array.recordUse(no as never), 'ERR_ARGUMENT', 'ERR_TYPE');
      }
    });

    plain(
      'of an array before what is not one, of an array twice, and of a disposed queue',
      async () => {
        using queue = backend.createQueue();
        const array = backend.empty([LENGTH], 'float32');
        await refused(useOf(queue, { reads: [array, none] }), 'ERR_TYPE');
        await refused(useOf(queue, { writes: [array, none] }), 'ERR_TYPE');
        const gone = backend.createQueue();
        gone[Symbol.dispose]();
        await refused(useOf(gone, { writes: [array] }), 'ERR_DISPOSED');
        const frozen = array.broadcastTo([2, LENGTH]);
        await refused(useOf(queue, { reads: [array], writes: [frozen] }), 'ERR_READ_ONLY');
        array[Symbol.dispose]();
        await refused(useOf(queue, { reads: [array] }), 'ERR_DISPOSED');
      },
    );
  });
}
