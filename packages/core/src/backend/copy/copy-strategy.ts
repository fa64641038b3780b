import type { Chunk } from '../../plan/chunks.js';
import type { Worker } from './workers.js';

/** How a copy between backends goes: its chunks, and the workers that copy them. */
export interface CopyStrategy {
  readonly chunks: Iterator<Chunk>;
  readonly workers: readonly Worker[];
  /** Settles when the workers may start. Absent: at once. */
  begin?(signal: AbortSignal | undefined): Promise<void>;
  /** Gives back what the strategy holds. Called once, when every worker has ended. */
  end(): void;
}
