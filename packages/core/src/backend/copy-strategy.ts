import type { Chunk } from './chunks.js';
import type { Worker } from './workers.js';

/** How a copy between backends goes: its chunks, and what copies them. */
export interface CopyStrategy {
  readonly chunks: Iterator<Chunk>;
  readonly workers: readonly Worker[];
  /** Settles when the workers may start; absent: now. */
  begin?(signal: AbortSignal | undefined): Promise<void>;
  /** Gives back what the strategy holds; called once, when every worker rests. */
  end(): void;
}
