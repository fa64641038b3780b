import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/**
 * Collects garbage a few times, with turns of the event loop in between, in which finalizers run.
 */
export async function collect(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    gc();
    await pause(1);
  }
}
