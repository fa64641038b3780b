import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { throwIfAborted } from '../../input/abort.js';
import type { Chunk } from '../../plan/chunks.js';
import type { ProgressTracker } from './progress.js';

/**
 * Copies one chunk. Settles when its work has ended on both sides, whether or not it failed. Calls
 * `failed` as soon as a failure is known, so that no other chunk begins meanwhile.
 */
export type Worker = (
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  failed: (reason: unknown) => void,
) => Promise<void>;

/**
 * Copies chunks; each worker copies one at a time and then takes the next. After a failure or an
 * abort no new chunk begins. Rejects with the first failure or the signal's reason once every
 * worker has ended.
 */
export async function runWorkers(
  chunks: Iterator<Chunk>,
  workers: readonly Worker[],
  tracker: ProgressTracker,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failures: unknown[] = [];
  const failed = (reason: unknown) => failures.push(reason);
  const run = async (worker: Worker) => {
    while (failures.length === 0 && signal?.aborted !== true) {
      const next = chunks.next();
      if (next.done === true) return;
      const [to, from] = next.value;
      try {
        await worker(to, from, failed);
        tracker.add(to.nbytes);
      } catch (error) {
        failed(error);
      }
    }
  };
  await Promise.all(workers.map(run));
  if (failures.length > 0) throw failures[0];
  if (!tracker.isFull) throwIfAborted(signal);
}

/** How a copy between backends is done: its chunks, and the workers that copy them. */
export interface CopyStrategy {
  readonly chunks: Iterator<Chunk>;
  readonly workers: readonly Worker[];
  /** Settles when the workers may start. Absent: immediately. */
  begin?(signal: AbortSignal | undefined): Promise<void>;
  /** Releases what the strategy holds. Called once, when every worker has ended. */
  end(): void;
}
