import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { ArrayCapsule } from './capsule.js';
import type { Memory } from './memory.js';
import type { BackendQueue } from './queue.js';

/** What backends need of a queue. The type that users see has none of it. */
export interface QueueInternals {
  /** Keeps the native queue alive for one more holder. */
  retain(): void;
  /** Ends one holder's interest. */
  release(): void;
  /** Throws ERR_CAPTURE where work enqueued now would be recorded for later (CUDA). Changes nothing. */
  assertRuns(): void;
  /** Throws ERR_DISPOSED once the queue was disposed. */
  assertLive(): void;
  /** Whether none of its work waits for a kernel which is being built. */
  readonly isEnqueued: boolean;
  /** Throws ERR_PENDING where some does, so that no event would come after it. */
  assertEnqueued(): void;
}

/** What backends need of a memory. The type that users see has none of it. */
export interface MemoryInternals {
  /**
   * Ends the memory for its owner. No new operation may begin; those under way keep it. Never
   * waits.
   */
  end(): void;
  /** Keeps the memory for an operation that takes time. */
  retain(): void;
  /** Ends one operation's interest. */
  release(): void;
  /** The array at the address that the backend's queues use for it. */
  reached(array: ArrayDescriptor): ArrayDescriptor;
  /**
   * The array at the address where this process may read and write it whenever no work is pending.
   * Null if there is no such address.
   */
  onHost(array: ArrayDescriptor): ArrayDescriptor | null;
  /** A capsule of the array, which keeps the memory. Throws ERR_NOT_ACCESSIBLE, and as `toDLPack`. */
  giveCapsule(array: ArrayDescriptor): ArrayCapsule;
  /** Throws ERR_DISPOSED once the memory was ended. */
  assertLive(path: string): void;
  /** Throws ERR_PENDING where work on it waits for a kernel, so that no queue could be named for it. */
  assertEnqueued(path: string): void;
  /** Throws ERR_OUT_OF_BOUNDS when the array leaves the range that was proved to exist. */
  assertHolds(array: ArrayDescriptor, path: string): void;
}

type InternalsOf<T> = T extends BackendQueue
  ? QueueInternals
  : T extends Memory
    ? MemoryInternals
    : T;

/** The same object, as the type that backends need. */
export function internals<T extends BackendQueue | Memory | null | undefined>(
  one: T,
): InternalsOf<T> {
  return one satisfies QueueInternals | MemoryInternals | null | undefined as InternalsOf<T>;
}
