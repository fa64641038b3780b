import type { ArrayDescriptor } from '@array-interface/core';
import type { Allocation, ArrayCapsule, MemoryKind } from '@array-interface/core/backend';
import {
  type BackendIdentity,
  type BackendQueue,
  capsuleFields,
  internals,
  Memory,
  type Sync,
} from '@array-interface/core/backend';
import type { MemoryHandle, NativeMemory } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { contextAt, type SyclContext } from '../work/context.js';
import { defaultQueueOf } from '../work/default-queue.js';
import { ownQueue, type SyclQueue } from '../work/queue.js';

/** Kinds of memory, indexed by the runtime's numbers. */
export const KINDS: readonly MemoryKind[] = ['unknown', 'device', 'shared', 'host'];

/** DLPack's device type for SYCL devices. */
const ONE_API = 14;

/** The producer of borrowed memory. */
export interface Producer {
  /** Kept as long as the memory exists and while work on it is pending. */
  readonly object: unknown;
  /** The queue by which work is ordered with the producer's. Null if no work is pending there. */
  readonly queue: SyclQueue | null;
  readonly sync: Sync;
}

/** The parts of a memory besides the native one. */
export interface MemoryParts {
  /** The address from which its arrays count. */
  readonly pointer: bigint;
  /** The range that is known to exist. Null if the caller asked to trust it. */
  readonly allocation: Allocation | null;
  readonly homeQueue?: SyclQueue | null;
  readonly producer?: Producer | null;
}

/**
 * USM memory, allocated or borrowed, or other memory of this process that a device can access. The
 * native memory tracks the dependencies of work on it, and keeps what it needs.
 */
export class SyclMemory extends Memory {
  declare readonly homeQueue: SyclQueue | null;
  readonly backend: BackendIdentity;
  /** The device that the memory belongs to, in its context. */
  readonly context: SyclContext;
  readonly memoryKind: MemoryKind;
  readonly pointer: bigint;
  readonly allocation: Allocation | null;
  readonly hostOffset: bigint | null;
  /** Null for memory that this package allocated. @internal */
  readonly producer: Producer | null;
  /** @internal */
  readonly native: MemoryHandle;

  /** @internal */
  constructor(backend: BackendIdentity, native: NativeMemory, parts: MemoryParts) {
    super(parts.homeQueue ?? null);
    const { type } = native;
    this.backend = backend;
    this.context = contextAt(native.contextDevice);
    this.memoryKind = type === 0 ? 'pageable' : (KINDS[type] as MemoryKind);
    this.pointer = parts.pointer;
    this.allocation = parts.allocation;
    this.hostOffset = type > 1 ? 0n : null;
    this.producer = parts.producer ?? null;
    internals(this.producer?.queue)?.retain();
    this.native = native.handle;
  }

  /** Index of the device that the memory belongs to. */
  get device(): number {
    return this.context.device;
  }

  protected async workEnded(): Promise<void> {
    await runtime().waitMemory(this.native);
  }

  /**
   * Records that other code enqueued work on this memory on `queue`. Later work is ordered after
   * it, and the memory lives until it has ended. Does not block.
   */
  recordUse(queue: BackendQueue): void {
    const { native } = ownQueue(queue) as SyclQueue;
    runtime().endExternalWork(native, [this.native], []);
  }

  /**
   * Returns the queue that SUAI names for this memory, always the same one: the producer's, or else
   * its home queue, or else its device's default queue. The queue waits for all pending work. The
   * package's next work is ordered after what consumers enqueue there. @internal
   */
  exportQueue(): SyclQueue {
    internals(this).assertEnqueued('array');
    const queue = this.#queueToName();
    runtime().exportOn(this.native, queue.native);
    return queue;
  }

  protected override isOwnOrder({ syclobj }: ArrayDescriptor): boolean {
    return syclobj === null || syclobj === this.#queueToName();
  }

  #queueToName(): SyclQueue {
    return this.producer?.queue ?? this.homeQueue ?? defaultQueueOf(this.context);
  }

  protected override makeCapsule(array: ArrayDescriptor): ArrayCapsule {
    const fields = capsuleFields(array, { type: ONE_API, id: this.device });
    return runtime().exportCapsule(this.native, fields, this.exportQueue().native);
  }

  protected free(): void {
    runtime().endMemory(this.native);
    internals(this.producer?.queue)?.release();
  }
}

/**
 * What a queue in `from` can do with a memory: its kernels access it, only the runtime's copies of
 * contiguous bytes do, or nothing does.
 */
export function reachFrom(from: SyclContext, memory: SyclMemory): 'kernels' | 'copies' | 'no' {
  const { context, memoryKind } = memory;
  if (from.id === context.id) return 'kernels';
  if (memoryKind === 'pageable' || !from.isSame(context)) return 'no';
  return memoryKind === 'device' ? 'copies' : 'kernels';
}
