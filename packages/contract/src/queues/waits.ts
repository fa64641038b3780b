import { describe, expect } from 'vitest';
import { Block } from '../support/block.js';
import { withFixtures } from '../support/fixtures.js';
import { aborted } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

/** Aborted waits: the waiting ends, and the work continues. */
export function waits({ backend }: Subject): void {
  const test = withFixtures(backend, { block: () => Block.make(backend, 4096, 2) });

  describe('abort signals', () => {
    test('nothing starts with an aborted signal', async ({ block, first: queue }) => {
      const signal = AbortSignal.abort();
      await aborted(
        () => backend.fill(block.array, 1, { signal }),
        () => backend.copy(block.array, new Uint8Array(4096), { signal }),
        () => backend.toTypedArray(block.array, { signal }),
        () => backend.array([1, 2], { signal }),
        () => queue.synchronize({ signal }),
        () => backend.synchronize({ signal }),
        () => backend.whenKernelsReady({ signal }),
      );
      await block.verify();
    });

    test('work whose wait is aborted goes on', async ({ block }) => {
      using target = backend.empty([4096], 'uint8');
      const controller = new AbortController();
      const copied = backend.copy(target, block.array, { signal: controller.signal });
      controller.abort();
      const [end] = await Promise.allSettled([copied]);
      if (end.status === 'rejected') expect(end.reason.name).toBe('AbortError');
      expect(await backend.toTypedArray(target)).toEqual(block.expected);
      await block.verify();
    });

    test('a download whose wait is aborted ends and writes nothing', async ({ block }) => {
      const bytes = new Uint8Array(4096);
      const controller = new AbortController();
      const read = backend.copy(bytes, block.array, { signal: controller.signal });
      // A synchronous backend has nothing to wait for.
      const isThere = bytes.some((byte) => byte !== 0);
      controller.abort();
      if (isThere) await read;
      else await aborted(() => read);
      expect(await backend.toTypedArray(block.array)).toEqual(block.expected);
      expect(bytes).toEqual(isThere ? block.expected : new Uint8Array(4096));
    });

    test('a signal that is never aborted changes nothing', async () => {
      const { signal } = new AbortController();
      using array = await backend.array([1, 2, 3], { dtype: 'uint8', signal });
      expect(await backend.toTypedArray(array, { signal })).toEqual(Uint8Array.of(1, 2, 3));
      await backend.synchronize({ signal });
      await backend.whenKernelsReady({ signal });
    });
  });
}
