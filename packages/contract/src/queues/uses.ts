import type { BackendArray } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { keepsNothing } from '../support/keeps-nothing.js';
import { OtherQueue } from '../support/other-queue.js';
import { refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';
import { randomUses } from './random-uses.js';

const LENGTH = 1000;

/** Work that the caller enqueues on a queue of the backend, ordered with all other work. */
export function uses(subject: BackendSubject): void {
  const { backend } = subject;
  randomUses(subject);

  describe.each([
    ['with the work pending', async () => {}],
    ['with the work ended', () => backend.synchronize()],
  ])('use, %s', (_, reached) => {
    test('waits before and marks after, also when it throws', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using source = backend.empty([LENGTH], 'float32');
      using target = backend.empty([LENGTH], 'float32');
      const work = [backend.fill(source, 4, { queue: first })];
      await reached();
      const copied = await backend.use(second, { reads: [source], writes: [target] }, (queue) => {
        work.push(backend.copy(target, source, { queue }));
        return 'copied';
      });
      expect(copied).toBe('copied');
      await reached();
      work.push(backend.fill(source, 0, { queue: first }));
      const failed = backend.use(second, { writes: [source] }, (queue) => {
        work.push(backend.fill(source, 6, { queue }));
        throw new Error('on purpose');
      });
      await expect(failed).rejects.toThrow('on purpose');
      expect(await backend.toTypedArray(target)).toEqual(new Float32Array(LENGTH).fill(4));
      expect(await backend.toTypedArray(source)).toEqual(new Float32Array(LENGTH).fill(6));
      await Promise.all(work);
    });
  });

  describe('use that is refused', () => {
    keepsNothing(subject);

    test('use of what is no array, and of a queue of another backend', async () => {
      using queue = backend.createQueue();
      const none = 3 as unknown as BackendArray;
      const nothing = () => expect.unreachable();
      await refused(() => backend.use(queue, { reads: [none] }, nothing), 'ERR_TYPE');
      await refused(() => backend.use(queue, { reads: none as never }, nothing), 'ERR_ARGUMENT');
      using array = backend.empty([LENGTH], 'float32');
      const other = new OtherQueue();
      await refused(() => backend.use(other, { writes: [array] }, nothing), 'ERR_ARGUMENT');
      await refused(async () => array.recordUse(other), 'ERR_ARGUMENT');
      for (const no of [undefined, null, {}]) {
        await refused(async () => array.recordUse(no as never), 'ERR_ARGUMENT', 'ERR_TYPE');
      }
    });

    test('of arrays before what is none, of an array twice, and of a queue that is gone', async () => {
      using queue = backend.createQueue();
      const nothing = () => expect.unreachable();
      const array = backend.empty([LENGTH], 'float32');
      const none = 3 as unknown as BackendArray;
      await refused(() => backend.use(queue, { reads: [array, none] }, nothing), 'ERR_TYPE');
      await refused(() => backend.use(queue, { writes: [array, none] }, nothing), 'ERR_TYPE');
      const gone = backend.createQueue();
      gone[Symbol.dispose]();
      await refused(() => backend.use(gone, { writes: [array] }, nothing), 'ERR_DISPOSED');
      const frozen = array.broadcastTo([2, LENGTH]);
      const both = { reads: [array], writes: [frozen] };
      await refused(() => backend.use(queue, both, nothing), 'ERR_READ_ONLY');
      array[Symbol.dispose]();
      await refused(() => backend.use(queue, { reads: [array] }, nothing), 'ERR_DISPOSED');
    });
  });
}
