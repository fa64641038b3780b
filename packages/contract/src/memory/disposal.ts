import type { BackendArray } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { exported } from '../support/exported.js';
import { liveMemory } from '../support/live-memory.js';
import type { Subject } from '../support/subject.js';

const COUNT = 8;

/** Disposed memory is freed once nothing needs it any more. */
export function disposal(subject: Subject): void {
  const { backend, liveAllocations } = subject;

  async function givesBack(work: () => Promise<void>): Promise<void> {
    const goesBack = await liveMemory(subject);
    for (let i = 0; i < COUNT; i++) await work();
    await backend.synchronize();
    await goesBack();
  }

  describe('disposal', () => {
    test('live arrays are counted', async () => {
      const goesBack = await liveMemory(subject);
      const arrays = Array.from({ length: COUNT }, () => backend.empty([64], 'uint8'));
      // Memory of earlier tests may still have been pending, and be freed by now.
      expect(liveAllocations()).toBeGreaterThanOrEqual(COUNT);
      for (const array of arrays) array[Symbol.dispose]();
      await goesBack();
    });

    test('staging memory is freed before the arrays that were written through it', async () => {
      const goesBack = await liveMemory(subject);
      const arrays = await Promise.all(
        Array.from({ length: COUNT }, () => backend.array(new Uint8Array(64))),
      );
      await backend.synchronize();
      await goesBack(COUNT);
      for (const array of arrays) array[Symbol.dispose]();
    });

    test('arrays are freed although views of them remain', () => {
      const views: BackendArray[] = [];
      return givesBack(async () => {
        using array = await backend.array(new Uint8Array(64));
        views.push(array.flip(), array.slice([[1, 9]]));
      });
    });

    test('memory is freed with the last loan', () =>
      givesBack(async () => {
        const array = await backend.array(new Uint8Array(64));
        const one = backend.asArray(array);
        using other = backend.asArray(exported(one).producer());
        array[Symbol.dispose]();
        one[Symbol.dispose]();
        expect(await backend.toTypedArray(other)).toEqual(new Uint8Array(64));
      }));

    test('borrowed arrays, too, and copies between producers', () =>
      givesBack(async () => {
        using array = await backend.array(new Uint8Array(64));
        const producer = exported(array).producer();
        using borrowed = backend.asArray(producer);
        await backend.copy(borrowed, producer);
        await backend.copy(producer, new Uint8Array(64));
        await backend.toTypedArray(producer);
      }));

    test('with work pending on several queues', () =>
      givesBack(async () => {
        using one = backend.createQueue();
        using other = backend.createQueue();
        using array = backend.empty([4096], 'uint8', { queue: one });
        using target = backend.empty([4096], 'uint8');
        void backend.fill(array, 1, { queue: one });
        void backend.copy(target, array, { queue: other });
        await backend.copy(array, new Uint8Array(4096), { queue: other });
      }));

    test('after a refused copy', () =>
      givesBack(async () => {
        using array = backend.empty([64], 'uint8');
        const { pointer, producer } = exported(array);
        const outside = producer({ data: [pointer, false], shape: [2 ** 26], strides: null });
        await expect(backend.array(outside)).rejects.toThrow();
        await expect(backend.copy(array, new Uint8Array(63))).rejects.toThrow();
        expect(() => backend.asArray(outside)).toThrow();
      }));
  });
}
