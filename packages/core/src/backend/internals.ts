import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { Memory } from './memory.js';
import type { BackendQueue } from './queue.js';

/** What the parts of a backend ask of a queue; the type that users see has none of it. */
export interface QueueInternals {
  /** Keeps the native queue alive for one more holder. */
  retain(): void;
  /** Ends one holder's interest. */
  release(): void;
  /** Throws where what is enqueued now would be recorded for later: ERR_CAPTURE of CUDA. Changes nothing. */
  assertRuns(): void;
  /** Throws ERR_DISPOSED once the queue was disposed. */
  assertLive(): void;
}

/** What the parts of a backend ask of a memory; the type that users see has none of it. */
export interface MemoryInternals {
  /** The owner's end: nothing new begins, and what has begun keeps the memory. Never waits. */
  end(): void;
  /** Keeps the memory for an operation that takes time. */
  retain(): void;
  /** Ends one operation's interest. */
  release(): void;
  /** The array at the address that the backend's queues use for it. */
  reached(array: ArrayDescriptor): ArrayDescriptor;
  /**
   * The array at the address where code of this process may read and write it at any time while no
   * work is pending, or null: nowhere.
   */
  onHost(array: ArrayDescriptor): ArrayDescriptor | null;
  /** Throws ERR_DISPOSED once the memory was ended. */
  assertLive(path: string): void;
  /** Throws ERR_OUT_OF_BOUNDS when the array leaves the memory that was proved to exist. */
  assertHolds(array: ArrayDescriptor, path: string): void;
}

/** The same object, with what only backends have a use for. */
export function internals(queue: BackendQueue): QueueInternals;
export function internals(memory: Memory): MemoryInternals;
export function internals(
  queue: BackendQueue | null | undefined,
): QueueInternals | null | undefined;
export function internals(memory: Memory | null | undefined): MemoryInternals | null | undefined;
export function internals(one: BackendQueue | Memory | null | undefined): unknown {
  return one satisfies QueueInternals | MemoryInternals | null | undefined;
}
