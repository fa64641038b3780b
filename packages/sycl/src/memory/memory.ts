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

/** The runtime's kinds of memory by its numbers. */
export const KINDS: readonly MemoryKind[] = ['unknown', 'device', 'shared', 'host'];

/** DLPack's type of SYCL's devices. */
const ONE_API = 14;

/** Where borrowed memory comes from. */
export interface Producer {
  /** Stays as long as the memory, and while work on it is pending. */
  readonly object: unknown;
  /** The queue that orders work with the producer's. Null: no work is pending there. */
  readonly queue: SyclQueue | null;
  readonly sync: Sync;
}

/** What a memory has besides the native one. */
export interface MemoryParts {
  /** The first byte, as addresses of its arrays count. */
  readonly pointer: bigint;
  /** The range that is known to exist. Null: it was trusted. */
  readonly allocation: Allocation | null;
  readonly homeQueue?: SyclQueue | null;
  readonly producer?: Producer | null;
}

/**
 * USM memory, allocated or borrowed, or other memory of this process that a device reaches. The
 * native memory keeps the order of work on it, and what it needs to live.
 */
export class SyclMemory extends Memory {
  declare readonly homeQueue: SyclQueue | null;
  readonly backend: BackendIdentity;
  /** The context that it is in, and the device that it belongs to. */
  readonly context: SyclContext;
  readonly memoryKind: MemoryKind;
  readonly pointer: bigint;
  readonly allocation: Allocation | null;
  readonly hostOffset: bigint | null;
  /** Null for memory of our own. @internal */
  readonly producer: Producer | null;
  /** @internal */
  readonly handle: MemoryHandle;

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
    this.handle = native.memory;
  }

  /** Index of the device that the memory belongs to. */
  get device(): number {
    return this.context.device;
  }

  protected async workEnded(): Promise<void> {
    await runtime().synchronizeMemory(this.handle);
  }

  /** See `BackendArray.recordUse`. */
  recordUse(queue: BackendQueue): void {
    const { native } = ownQueue(queue) as SyclQueue;
    runtime().endExternalWork(native, [this.handle], []);
  }

  /**
   * The queue that stands for this memory in SUAI, always the same one: the producer's, else its
   * own, else its device's. It waits for all pending work; what consumers put there comes before
   * our next work. @internal
   */
  exportQueue(): SyclQueue {
    internals(this).assertEnqueued('array');
    const queue = this.#queueToName();
    runtime().exportOn(this.handle, queue.native);
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
    return runtime().giveCapsule(this.handle, fields, this.exportQueue().native);
  }

  protected free(): void {
    runtime().endMemory(this.handle);
    internals(this.producer?.queue)?.release();
  }
}

/** What kernels of a queue in `from` can do with a memory; see core's `Driver.reach`. */
export function reachFrom(from: SyclContext, memory: SyclMemory): 'kernels' | 'copies' | 'no' {
  const { context, memoryKind } = memory;
  if (from.id === context.id) return 'kernels';
  if (memoryKind === 'pageable' || !from.isSame(context)) return 'no';
  return memoryKind === 'device' ? 'copies' : 'kernels';
}
