import type { Backend } from '@array-interface/core';
import type { BackendArray, BackendQueue } from '@array-interface/core/backend';
import type { Fault } from '../faults/faults.js';
import type { StreamHandle } from './stranger.js';

/** The driver below us, which fails as it is told. */
export interface FailingDriver {
  /** A program begins, with these faults. */
  begin(faults: readonly Fault[]): void;
  /** Plans a fault from now on; null: nothing fails any more. */
  fail(fault: Fault | null): void;
  /** Whether a call that failed so explains an error. */
  explains(error: unknown): boolean;
  /** Whether a fault that came has lost the context: nothing works in this process any more. */
  isLost(): boolean;
  /** How many things may stay because nobody could give them back. */
  mayLeave(): number;
}

/** What the programs need of a backend, besides what each backend has. */
export interface Ours {
  readonly backend: Backend;
  createQueue(device: number, isPlain: boolean): BackendQueue;
  createPool(device: number): Disposable;
  /** The stranger's stream as a queue of ours. */
  wrap(stream: StreamHandle): BackendQueue;
  /** An object with nothing but an array's dict, read now. */
  dictOf(array: BackendArray): object;
  /** Tells an array of work that the stranger has put on its stream. */
  recordUse(array: BackendArray, stream: StreamHandle): void;
  releaseCached(): Promise<void>;
  readonly driver: FailingDriver;
  /** What the runtime counts as live, beyond what stays for good. Empty: all is well. */
  left(): Readonly<Record<string, number>>;
  /** What went wrong without anybody being told, since the last call, in words. */
  faults(): readonly string[];
}
