import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { vi } from 'vitest';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** In milliseconds: longer than any machine is busy, shorter than a test may take. */
export const PATIENCE = 100_000;

/**
 * Collects garbage a few times, with turns of the event loop in between, in which finalizers run.
 */
export async function collect(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    gc();
    await pause(1);
  }
}

/** Collects garbage until the check passes. */
export function onceCollected(check: () => void): Promise<void> {
  return vi.waitFor(() => collect().then(check), PATIENCE);
}
