import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { vi } from 'vitest';
import { python } from './producers.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Collects garbage on both sides, with a turn of the event loop in which finalizers run. */
export async function collect(): Promise<void> {
  gc();
  await pause(1);
  python.exec('gc.collect()');
}

/** Waits, with garbage collected again and again, until an assertion holds. */
export async function settled(assertion: () => void): Promise<void> {
  await vi.waitFor(
    async () => {
      await collect();
      assertion();
    },
    { timeout: 100_000 },
  );
}
