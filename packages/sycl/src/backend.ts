import type {
  ArrayInterfaceError,
  ArrayLike,
  ArrayOptions,
  DTypeLike,
  NestedNumbers,
  OwnedArray,
  SyclObject,
  WaitOptions,
} from '@array-interface/core';
import type {
  Availability,
  Held,
  OpenSharedOptions,
  PointerInfo,
  ShareOptions,
  ThreadTicket,
} from '@array-interface/core/backend';
import {
  abortable,
  BaseBackend,
  OPEN_SHARED_OPTIONS,
  readOptions,
  readSignal,
  SHARE_OPTIONS,
} from '@array-interface/core/backend';
import type { NativeDevice } from './addon.js';
import type { SyclArray } from './array.js';
import { checkListener } from './driver/async-errors.js';
import { asyncErrors, findRuntime, runtime } from './driver/runtime.js';
import { SyclDriver } from './driver.js';
import { KINDS } from './memory/memory.js';
import {
  contextFrom,
  QUEUE_OPTIONS,
  type SyclEmptyOptions,
  type SyclQueueOptions,
} from './options.js';
import { openShared, share } from './share.js';
import { contextAt, contextOf, type SyclContext } from './work/context.js';
import { createQueueIn } from './work/default-queue.js';
import type { SyclQueue } from './work/queue.js';
import { contextDeviceOf } from './work/syclobj.js';

/**
 * A SYCL device, with the filter selector that names it to every SYCL program (`opencl:cpu:0`), its
 * backend, its compute units, and the aspects that matter to arrays, by SYCL's names.
 */
export type SyclDevice = NativeDevice;

/** What the runtime knows of a pointer. */
export interface SyclPointerInfo extends PointerInfo {
  /** The context that has it: a default context, or one that was imported. Null: none of these. */
  readonly context: SyclContext | null;
}

/** SYCL USM memory through dpctl's C library, which is loaded at first use. */
export class SyclBackend extends BaseBackend<SyclArray, SyclDriver> {
  /** `sycl`. */
  readonly name = 'sycl';
  /** `sycl`. */
  readonly protocol = 'sycl';

  constructor() {
    super((backend) => new SyclDriver(backend));
  }

  /** Whether there is a runtime, what was tried and what to install. Never throws. */
  get availability(): Availability {
    return findRuntime();
  }

  /** The devices of the runtime, in its order. Throws ERR_BACKEND_UNAVAILABLE. */
  devices(): readonly SyclDevice[] {
    return runtime().devices();
  }

  /** A device in its default context, which dpctl and dpnp share. Throws ERR_ARGUMENT. */
  context(device = 0): SyclContext {
    return contextOf(device);
  }

  /**
   * Parts of a device with so many compute units each, every part in a context of its own, for
   * `createQueue({ context })`. Throws ERR_ARGUMENT where the device cannot be divided so.
   */
  divide(device: number, computeUnits: number): readonly SyclContext[] {
    return runtime().divide(device, computeUnits).map(contextAt);
  }

  /** What the runtime knows about an address. Touches no memory. */
  inspectPointer(pointer: bigint): SyclPointerInfo {
    const { type, contextDevice, range: allocation } = runtime().find(pointer);
    const memoryKind = KINDS[type] as PointerInfo['memoryKind'];
    const context = contextDevice === null ? null : contextAt(contextDevice);
    const device = context?.device ?? null;
    return { memoryKind, device, context, allocation, hostAccessible: type > 1 };
  }

  /** A queue of a device. Throws ERR_BACKEND_UNAVAILABLE, ERR_ARGUMENT. */
  createQueue(options: SyclQueueOptions = {}): SyclQueue {
    const read = readOptions(options, QUEUE_OPTIONS);
    const { device, inOrder = true, profiling = false } = read;
    const context = contextFrom(read.context, device, null);
    return createQueueIn(context, inOrder, profiling);
  }

  /**
   * A queue. A queue object of any library, or its capsule, gives its native queue, shared and
   * kept. A selector, a context or its capsule gives a new queue. A queue of this package comes
   * back as it is; dispose of any other. Throws ERR_SYCLOBJ, ERR_DISPOSED.
   */
  asQueue(syclobj: SyclObject): SyclQueue {
    const { queue, context } = contextDeviceOf(syclobj, 0n);
    if (queue === null) return this.createQueue({ context });
    return queue;
  }

  /** Uninitialised USM memory, as every backend gives. */
  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: SyclEmptyOptions = {},
  ): OwnedArray<SyclArray> {
    return super.empty(shape, dtype, options);
  }

  /**
   * A ticket for another thread of this process: plain data for any message. It holds the memory
   * until a thread has opened it, until it is disposed of, or until this thread is terminated; what
   * a thread has opened stays as long as it has it. One thread opens it. Its work is ordered with
   * ours. Copies nothing and does not wait. Throws ERR_TICKET for a producer's memory, ERR_DISPOSED,
   * ERR_SYCL. The options are those of every backend; no other process opens USM memory.
   */
  share(array: SyclArray, options: ShareOptions = {}): Held<ThreadTicket> {
    readOptions(options, SHARE_OPTIONS);
    return share(array);
  }

  /**
   * An array over the sharer's memory, by its ticket. Copies nothing and does not wait. Throws
   * ERR_TICKET for a ticket that another thread has opened, or that has ended. The options are those
   * of every backend; no other process opens USM memory.
   */
  openShared(ticket: ThreadTicket, options: OpenSharedOptions = {}): OwnedArray<SyclArray> {
    readOptions(options, OPEN_SHARED_OPTIONS);
    const { memory, descriptor } = openShared(this, ticket);
    return this.driver.wrap(memory, descriptor, null) as OwnedArray<SyclArray>;
  }

  /** Copies into new USM memory, as every backend does. */
  override array(
    source: ArrayLike | NestedNumbers,
    options: SyclEmptyOptions & ArrayOptions = {},
  ): Promise<OwnedArray<SyclArray>> {
    return super.array(source, options);
  }

  /**
   * Calls `listener` with an ERR_SYCL for each error of enqueued work that rejects no promise, such
   * as a copy that nobody waited for. Without a listener, the main thread prints a warning. Throws
   * ERR_ARGUMENT for another event, ERR_TYPE for what is no function.
   */
  on(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    checkListener(event, listener);
    asyncErrors.on(event, listener);
    return this;
  }

  /** Removes a listener that `on` added. Throws as `on`. */
  off(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    checkListener(event, listener);
    asyncErrors.off(event, listener);
    return this;
  }

  /** Settles when all work on all queues has ended; holds no thread. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    await abortable(
      this.afterWaiting(() => runtime().synchronize()),
      signal,
    );
  }

  /**
   * Settles when all kernels are built that copies have asked for up to now. The first copy of a
   * kind of 2^12 units or more has a kernel of its own built on another thread, and goes with a
   * slower one. A copy of 2^24 units or more for each of its kernels builds them first, and blocks
   * the event loop. Code that has to be fast later makes a copy of each kind and waits for this.
   * Rejects with ERR_BACKEND_UNAVAILABLE and with the signal's reason.
   */
  async whenKernelsReady(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    await abortable(
      this.afterWaiting(() => runtime().whenKernelsReady()),
      signal,
    );
  }

  /**
   * Gives the runtime the memory that is kept for the next allocations of the same size: at most an
   * eighth of a device's memory, and 64 MiB each of host and of shared memory. Settles when that is
   * done. Allocations of this process take kept memory by themselves; those of other processes
   * cannot. Rejects with ERR_BACKEND_UNAVAILABLE.
   */
  async releaseCached(): Promise<void> {
    await runtime().releaseCached();
  }
}
