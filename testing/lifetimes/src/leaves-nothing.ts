import { afterEach } from 'vitest';

/**
 * Checks after each test that it left nothing behind. Stops after the first that did: later tests
 * would wait in vain for the same.
 */
export function leavesNothing(check: () => Promise<void>): void {
  let isLeft = false;
  afterEach(async () => {
    if (isLeft) return;
    isLeft = true;
    await check();
    isLeft = false;
  });
}
