import type { Lane, Pair } from './lanes.js';

/** How a copy between backends goes: its parts, and what copies them. */
export interface Way {
  readonly pairs: Iterator<Pair>;
  readonly lanes: readonly Lane[];
  /** Settles when the lanes may start; absent: now. */
  begin?(signal: AbortSignal | undefined): Promise<void>;
  /** Gives back what the way holds; called once, when every lane rests. */
  end(): void;
}
