import type { ArrayDescriptor } from '../descriptor.js';
import type { Tally } from './tally.js';

/** The same part of both sides of a copy. */
export type Pair = readonly [to: ArrayDescriptor, from: ArrayDescriptor];

/** Copies one part; settles when its work has ended on both sides, whether it failed or not. */
export type Lane = (to: ArrayDescriptor, from: ArrayDescriptor) => Promise<void>;

/**
 * Copies parts, one at a time in each lane, each lane taking the next. A failure or the signal stops
 * what has not begun; rejects with the first failure or the signal's reason once every lane rests.
 */
export async function inLanes(
  pairs: Iterator<Pair>,
  lanes: readonly Lane[],
  tally: Tally,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failures: unknown[] = [];
  const run = async (lane: Lane) => {
    while (failures.length === 0 && signal?.aborted !== true) {
      const next = pairs.next();
      if (next.done === true) return;
      const [to, from] = next.value;
      try {
        await lane(to, from);
        tally.add(to.nbytes);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(lanes.map(run));
  if (failures.length > 0) throw failures[0];
  if (!tally.isFull) signal?.throwIfAborted();
}
