import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { ArrayCapsule } from './capsule.js';
import type { Memory } from './memory.js';
import type { BackendQueue } from './queue.js';

/** What backends need of a queue. The public type has none of it. */
export interface QueueInternals {
  /** Retains the native queue for one more user. */
  retain(): void;
  /** Releases one reference. */
  release(): void;
  /**
   * Throws ERR_CAPTURE if work enqueued now would be recorded for later (CUDA). Changes nothing.
   */
  assertRuns(): void;
  /** Throws ERR_DISPOSED if the queue was disposed. */
  assertLive(): void;
  /** Whether none of its work waits for a kernel that is being built. */
  readonly isEnqueued: boolean;
  /**
   * Throws ERR_PENDING if some of its work waits for a kernel, since no event could be ordered
   * after it.
   */
  assertEnqueued(): void;
}

/** What backends need of a memory. The public type has none of it. */
export interface MemoryInternals {
  /**
   * Ends the memory for its owner. No new operation may begin; pending ones keep the memory. Never
   * blocks.
   */
  end(): void;
  /** Retains the memory for an operation that takes time. */
  retain(): void;
  /** Releases one operation's reference. */
  release(): void;
  /** Returns the array at the address that the backend's queues use for it. */
  onDevice(array: ArrayDescriptor): ArrayDescriptor;
  /**
   * Returns the array at the address at which this process may read and write it whenever no work
   * is pending. Null if there is no such address.
   */
  onHost(array: ArrayDescriptor): ArrayDescriptor | null;
  /**
   * Returns a capsule of the array, which keeps the memory alive. Throws ERR_NOT_ACCESSIBLE, and
   * what `toDLPack` throws.
   */
  exportCapsule(array: ArrayDescriptor): ArrayCapsule;
  /** Throws ERR_DISPOSED if the memory was ended. */
  assertLive(path: string): void;
  /**
   * Throws ERR_PENDING if work on the memory waits for a kernel, since no queue could be named for
   * it.
   */
  assertEnqueued(path: string): void;
  /** Throws ERR_OUT_OF_BOUNDS if the array exceeds the range that was proved to exist. */
  assertHolds(array: ArrayDescriptor, path: string): void;
}

type InternalsOf<T> = T extends BackendQueue
  ? QueueInternals
  : T extends Memory
    ? MemoryInternals
    : T;

/** Returns the same object as the type that backends need. */
export function internals<T extends BackendQueue | Memory | null | undefined>(
  one: T,
): InternalsOf<T> {
  return one satisfies QueueInternals | MemoryInternals | null | undefined as InternalsOf<T>;
}
