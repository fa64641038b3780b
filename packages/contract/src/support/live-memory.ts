import { expect, vi } from 'vitest';
import { collect, onceCollected, PATIENCE } from './collect.js';
import type { Subject } from './subject.js';

interface Options {
  /** Whether the garbage collector has to free it. */
  readonly garbage?: boolean;
  /** How long freed memory may stay pending, in milliseconds. */
  readonly timeout?: number;
}

/**
 * Counts the live allocations. The function that it returns waits until no more are live than now,
 * apart from some that stay.
 */
export async function liveMemory(
  { backend, liveAllocations }: Subject,
  { garbage = false, timeout = PATIENCE }: Options = {},
): Promise<(staying?: number) => Promise<void>> {
  await backend.synchronize();
  if (garbage) await collect();
  const before = liveAllocations();
  return (staying = 0) => {
    const check = () =>
      expect(liveAllocations(), 'live allocations').toBeLessThanOrEqual(before + staying);
    return garbage ? onceCollected(check) : vi.waitFor(check, timeout);
  };
}
