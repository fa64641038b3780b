import type { Backend } from '@array-interface/core';
import type { BackendArray, BackendQueue } from '@array-interface/core/backend';
import type { PlannedFaults } from './planned-faults.js';
import type { StreamHandle } from './stranger.js';

/** What the programs need of a backend beyond the common interface. */
export interface Ours {
  readonly backend: Backend & { releaseCached(): Promise<void> };
  createQueue(device: number, isPlain: boolean): BackendQueue;
  createPool(device: number): Disposable;
  /** Wraps the stranger's stream as a queue of this library. */
  wrap(stream: StreamHandle): BackendQueue;
  /** An object with only an array's dict, read now. */
  dictOf(array: BackendArray): object;
  /** Tells an array of work that the stranger has enqueued on its stream. */
  recordUse(array: BackendArray, stream: StreamHandle): void;
  /** The driver below this library, which fails on demand. */
  readonly driver: PlannedFaults;
  /** What the runtime counts as live, beyond what it keeps permanently. */
  left(): Readonly<Record<string, number>>;
  /** Failures since the last call that were reported to nobody, as text. */
  faults(): readonly string[];
}
