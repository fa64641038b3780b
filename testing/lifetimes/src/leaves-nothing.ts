import { afterEach } from 'vitest';

/**
 * Lets go of what a test holds after each one, and checks that it left nothing behind. Checks no
 * more after the first that did, or that failed, whose error may keep what it shows: the rest would
 * wait in vain for the same.
 */
export function leavesNothing(letGo: () => unknown, check: () => Promise<void>): void {
  let isLeft = false;
  afterEach(async ({ task }) => {
    await letGo();
    isLeft ||= task.result?.state === 'fail';
    if (isLeft) return;
    isLeft = true;
    await check();
    isLeft = false;
  });
}
