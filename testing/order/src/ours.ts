import type { Backend } from '@array-interface/core';
import type { BackendArray, BackendQueue } from '@array-interface/core/backend';
import type { StreamHandle } from './stranger.js';

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
  /** What the runtime counts as live, beyond what stays for good. Empty: all is well. */
  left(): Readonly<Record<string, number>>;
  /** What went wrong without anybody being told, since the last call, in words. */
  faults(): readonly string[];
}
