import { afterEach, describe, expect, test, vi } from 'vitest';
import { holdOwner, releaseOwner } from '../../src/backend/held-owners.js';

/** An event that can be looked at. */
function work() {
  const state = { isReached: false, looks: 0 };
  const query = () => {
    state.looks++;
    return state.isReached;
  };
  return { state, event: { query, synchronize: async () => {}, synchronizeSync: () => {} } };
}

/** Whether an owner is held is seen by its being collected, or not. */
async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let i = 0; i < 20; i++) {
    (globalThis as unknown as { gc: () => void }).gc(); // see vitest.config.ts
    await new Promise((resolve) => setImmediate(resolve));
  }
  return reference.deref() === undefined;
}

afterEach(() => vi.useRealTimers());

describe('held owners', () => {
  test('live until their work is reached, and not much longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const pending = work();
    const reference = (() => {
      const owner = { name: 'producer' };
      holdOwner(owner, pending);
      return new WeakRef(owner);
    })();
    vi.advanceTimersByTime(5000);
    expect(await isCollected(reference)).toBe(false);
    pending.state.isReached = true;
    vi.advanceTimersByTime(1000);
    expect(await isCollected(reference)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('are let go at once when their work is known to have ended', async () => {
    const pending = work();
    const reference = (() => {
      const owner = { name: 'producer' };
      holdOwner(owner, pending);
      return new WeakRef(owner);
    })();
    releaseOwner(pending);
    expect(await isCollected(reference)).toBe(false);
    pending.state.isReached = true;
    releaseOwner(pending);
    expect(await isCollected(reference)).toBe(true);
  });

  test('are looked at seldom, so that a look does not drive the work', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const pending = Array.from({ length: 1000 }, work);
    for (const one of pending) holdOwner({}, one);
    const looks = pending.reduce((sum, one) => sum + one.state.looks, 0);
    expect(looks).toBeLessThan(2500);
    for (const one of pending) one.state.isReached = true;
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
