import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Collects garbage a few times, with turns of the event loop in which finalizers run. */
export async function collect(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    gc();
    await pause(1);
  }
}

/**
 * Collects garbage until something is so, a number of times at most, some milliseconds apart.
 * Returns whether it is so.
 */
export async function collectUntil(
  isSo: () => boolean,
  times: number,
  ms: number,
): Promise<boolean> {
  for (let i = 0; i < times; i++) {
    await pause(ms); // until then a WeakRef that `isSo` looked at keeps its object
    gc();
    if (isSo()) return true;
  }
  return false;
}
