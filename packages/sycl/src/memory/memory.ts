import type { ArrayDescriptor } from '@array-interface/core';
import type { ArrayCapsule, MemoryKind } from '@array-interface/core/backend';
import {
  type BackendIdentity,
  type BackendQueue,
  capsuleFields,
  DeviceMemory,
  type DeviceMemoryFacts,
} from '@array-interface/core/backend';
import type { NativeMemory } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import { contextAt, type SyclContext } from '../work/context.js';
import { defaultQueueOf } from '../work/default-queue.js';
import { ownQueue, type SyclQueue } from '../work/queue.js';

/** Kinds of memory, indexed by the runtime's numbers. */
export const KINDS: readonly MemoryKind[] = ['unknown', 'device', 'shared', 'host'];

/** DLPack's device type for SYCL devices. */
const ONE_API = 14;

/** The properties of a memory that its native part does not have. */
export type SyclMemoryFacts = Omit<
  DeviceMemoryFacts<SyclQueue>,
  'native' | 'memoryKind' | 'hostOffset'
>;

/**
 * USM memory, allocated or borrowed, or other memory of this process that a device can access. The
 * native memory tracks the dependencies of work on it, and keeps what it needs.
 */
export class SyclMemory extends DeviceMemory<SyclQueue> {
  /** The device that the memory belongs to, in its context. */
  readonly context: SyclContext;

  /** @internal */
  constructor(
    backend: BackendIdentity,
    { handle: native, type, contextDevice }: NativeMemory,
    facts: SyclMemoryFacts,
  ) {
    const memoryKind = type === 0 ? 'pageable' : (KINDS[type] as MemoryKind);
    const hostOffset = type > 1 ? 0n : null;
    const { pointer, allocation, homeQueue, producer, producerQueue } = facts; // faster than a spread
    super(runtime(), backend, {
      native,
      memoryKind,
      hostOffset,
      pointer,
      allocation,
      homeQueue,
      producer,
      producerQueue,
    });
    this.context = contextAt(contextDevice);
  }

  /** Index of the device that the memory belongs to. */
  get device(): number {
    return this.context.device;
  }

  /**
   * Records that other code enqueued work on this memory on `queue`. Later work is ordered after
   * it, and the memory lives until it has ended. Does not block.
   */
  recordUse(queue: BackendQueue): void {
    const { native } = ownQueue(queue);
    runtime().endExternalWork(native, [this.native], []);
  }

  /**
   * Returns the queue that SUAI names for this memory, always the same one: the producer's, or else
   * its home queue, or else its device's default queue. The queue waits for all pending work. The
   * package's next work is ordered after what consumers enqueue there. @internal
   */
  exportQueue(): SyclQueue {
    const queue = this.#queueToName();
    this.exportOn(queue);
    return queue;
  }

  protected override isOwnOrder({ syclobj }: ArrayDescriptor): boolean {
    return syclobj === null || syclobj === this.#queueToName();
  }

  #queueToName(): SyclQueue {
    return this.producerQueue ?? this.homeQueue ?? defaultQueueOf(this.context);
  }

  protected override makeCapsule(array: ArrayDescriptor): ArrayCapsule {
    const fields = capsuleFields(array, { type: ONE_API, id: this.device });
    return runtime().exportCapsule(this.native, this.exportQueue().native, false, ...fields);
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
