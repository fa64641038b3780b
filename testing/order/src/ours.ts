import type { Backend } from '@array-interface/core';
import type { BackendArray, BackendQueue } from '@array-interface/core/backend';
import type { StreamHandle } from './stranger.js';

/** What the programs need of a backend beside what each has. */
export interface Ours {
  readonly backend: Backend;
  createQueue(device: number, isPlain: boolean): BackendQueue;
  createPool(device: number): Disposable;
  /** A stranger's stream in our hands. */
  wrap(stream: StreamHandle): BackendQueue;
  /** A producer of an array's dict, read now, and nothing else of it. */
  dictOf(array: BackendArray): object;
  /** Tells an array of work that the stranger has put on its stream. */
  recordUse(array: BackendArray, stream: StreamHandle): void;
  releaseCached(): Promise<void>;
  /** What the runtime says is there, beyond what stays for good; nothing where all is well. */
  left(): Readonly<Record<string, number>>;
  /** What went wrong of which nobody was told, since the last time: in words. */
  faults(): readonly string[];
}
