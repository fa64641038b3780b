import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { kernelsOf } from '../kernels/kernels-of.js';
import { keepsNothing } from '../support/keeps-nothing.js';
import type { BackendSubject } from '../support/subject.js';

const LENGTH = 4096;

/** A signal may outlive thousands of calls, and no call leaves a listener on it. */
export function signals(subject: BackendSubject): void {
  const { backend, kernels, addLater } = subject;

  describe('a signal that outlives its calls', () => {
    keepsNothing(subject);

    test('has no listener once the calls have ended', async () => {
      const { signal } = new AbortController();
      using queue = backend.createQueue();
      using source = await backend.array(new Float32Array(LENGTH).fill(1), { signal });
      using target = await backend.array(new Float32Array(LENGTH), { signal });
      const options = { signal, queue };
      const launch = () => {
        if (kernels === null) return Promise.resolve();
        const { axpy } = kernelsOf(backend.name, kernels);
        const values = { source, target, factor: 1, n: LENGTH };
        return backend.launch(axpy, { range: [LENGTH], ...options }, values);
      };
      await Promise.all([
        addLater?.(target, 1, queue), // The rest waits for it.
        launch(),
        launch(), // behind the first
        backend.copy(source, target, options),
        backend.fill(source, 1, options),
        backend.toTypedArray(target, options),
        queue.synchronize({ signal }),
        queue.record().synchronize({ signal }),
      ]);
      const copied = backend.copy(source, new Float32Array(LENGTH - 1), options);
      await expect(copied).rejects.toThrow();
      await new Promise((resolve) => setImmediate(resolve));
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });
}
