import type { Backend } from '@array-interface/core';
import type { BackendArray, BackendQueue } from '@array-interface/core/backend';
import type { Fault } from '../faults/faults.js';
import type { StreamHandle } from './stranger.js';

/** The driver below this library, which fails on demand. */
export interface FailingDriver {
  /** Begins a program with these faults. */
  begin(faults: readonly Fault[]): void;
  /** Plans a fault from now on; null: nothing fails any more. */
  fail(fault: Fault | null): void;
  /** Whether a call that failed in this way explains an error. */
  explains(error: unknown): boolean;
  /** Whether a fault that occurred has lost the context: nothing works in this process any more. */
  isLost(): boolean;
  /** How many objects may remain because nobody could free them. */
  mayLeave(): number;
}

/** What the programs need of a backend beyond the common interface. */
export interface Ours {
  readonly backend: Backend;
  createQueue(device: number, isPlain: boolean): BackendQueue;
  createPool(device: number): Disposable;
  /** Wraps the stranger's stream as a queue of this library. */
  wrap(stream: StreamHandle): BackendQueue;
  /** An object with only an array's dict, read now. */
  dictOf(array: BackendArray): object;
  /** Tells an array of work that the stranger has enqueued on its stream. */
  recordUse(array: BackendArray, stream: StreamHandle): void;
  releaseCached(): Promise<void>;
  readonly driver: FailingDriver;
  /** What the runtime counts as live, beyond what it keeps permanently. Empty if nothing leaked. */
  left(): Readonly<Record<string, number>>;
  /** Failures since the last call that were reported to nobody, as text. */
  faults(): readonly string[];
}
