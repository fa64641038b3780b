import { collectUntil } from '@array-interface/support';
import { afterAll, afterEach } from 'vitest';
import { loadedAddons } from './loaded-addons.js';

const TRIES = 2000;
/** Limit after a failed test, which is reported anyway. */
const FEW = 100;

/**
 * Fails each test file that leaves live resources of a backend behind. Garbage collection must free
 * what was not disposed. For a file in `setupFiles`. Does nothing if the addon was not loaded.
 */
export function returnsToZero(name: string, live: () => Readonly<Record<string, number>>): void {
  let hasFailed = false;
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === 'fail';
  });

  afterAll(async () => {
    if (loadedAddons(name)?.length === 0) return;
    const left = () => Object.entries(live()).filter(([, count]) => count > 0);
    // Once per event-loop turn: `live` releases free memory, which counts as live until that is
    // done.
    const isNothingLeft = () => left().length === 0;
    if (isNothingLeft() || (await collectUntil(isNothingLeft, hasFailed ? FEW : TRIES, 20))) return;
    const lines = left().map(([what, count]) => `${count} ${what}`);
    throw new Error(
      `expected nothing of ${name} to be live after this file, got ${lines.join(', ')}; ` +
        'dispose what the tests made, or let go of it',
    );
  }, 600_000);
}
