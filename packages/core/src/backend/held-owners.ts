import type { Event } from './queue.js';

/** Work whose last event may change while it is pending. */
export interface Pending {
  readonly event: Event;
}

/** Fewer than this are not worth a look. */
const SMALLEST_SWEEP = 16;
const SWEEP_MS = 1000;

/**
 * Producers on whose memory our work is pending. An array on it may be disposed or collected before
 * the work has ended; then nobody else may be holding the producer, and its memory would be reused
 * under a running kernel.
 */
const owners = new Map<Pending, unknown>();
let nextSweep = SMALLEST_SWEEP;
let timer: ReturnType<typeof setInterval> | null = null;

/** Keeps `owner` until the work has ended; looked at now and then, without driving the work. */
export function holdOwner(owner: unknown, work: Pending): void {
  if (owners.size >= nextSweep) sweep();
  owners.set(work, owner);
  if (timer !== null) return;
  timer = setInterval(sweep, SWEEP_MS);
  (timer as { unref?: () => void }).unref?.(); // Node's has it: no process waits for a sweep
}

/** Ends it, if the work has ended: one look, which drives nothing. */
export function releaseOwner(work: Pending): void {
  if (owners.has(work) && hasEnded(work)) owners.delete(work);
}

function sweep(): void {
  for (const work of owners.keys()) releaseOwner(work);
  nextSweep = Math.max(SMALLEST_SWEEP, owners.size * 2);
  if (owners.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}

/** Work that failed has ended, too. */
function hasEnded(work: Pending): boolean {
  try {
    return work.event.query();
  } catch {
    return true;
  }
}
