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
import type { Availability, PointerInfo } from '@array-interface/core/backend';
import { abortable, BaseBackend, checkOptions } from '@array-interface/core/backend';
import type { NativeDevice } from './addon.js';
import type { SyclArray } from './array.js';
import { contextAt, contextOf, type SyclContext } from './context.js';
import { createQueueIn } from './default-queue.js';
import { SyclDriver } from './driver.js';
import { KINDS } from './memory.js';
import { contextFrom, type SyclEmptyOptions, type SyclQueueOptions } from './options.js';
import type { SyclQueue } from './queue.js';
import { asyncErrors, findRuntime, runtime } from './runtime.js';
import { placeOf } from './syclobj.js';

/**
 * A SYCL device, with the filter selector that names it to every SYCL program (`opencl:cpu:0`), its
 * backend, its compute units, and those aspects that matter to arrays, by SYCL's names.
 */
export type SyclDevice = NativeDevice;

/** What the runtime knows of a pointer. */
export interface SyclPointerInfo extends PointerInfo {
  /** The context that has it, or null: the default contexts, and those that were imported. */
  readonly context: SyclContext | null;
}

/** SYCL USM memory through dpctl's C library, which is loaded when something first needs it. */
export class SyclBackend extends BaseBackend<SyclArray, SyclDriver> {
  readonly name = 'sycl';
  readonly protocol = 'sycl';

  constructor() {
    super((backend) => new SyclDriver(backend));
  }

  get availability(): Availability {
    return findRuntime();
  }

  devices(): readonly SyclDevice[] {
    return runtime().devices();
  }

  /** A device in its default context, which dpctl and dpnp share. Throws ERR_ARGUMENT. */
  context(device = 0): SyclContext {
    return contextOf(device);
  }

  /**
   * A device in parts of so many compute units, each in a context of its own; for
   * `createQueue({ context })`. Throws ERR_ARGUMENT where the device cannot be divided so.
   */
  divide(device: number, computeUnits: number): readonly SyclContext[] {
    return runtime().divide(device, computeUnits).map(contextAt);
  }

  inspectPointer(pointer: bigint): SyclPointerInfo {
    const { type, place, range: allocation } = runtime().find(pointer);
    const memoryKind = KINDS[type] as PointerInfo['memoryKind'];
    const context = place === null ? null : contextAt(place);
    const device = context?.device ?? null;
    return { memoryKind, device, context, allocation, hostAccessible: type > 1 };
  }

  createQueue(options: SyclQueueOptions = {}): SyclQueue {
    checkOptions(options, ['device', 'context', 'inOrder', 'profiling']);
    const { device, inOrder = true, profiling = false } = options;
    const context = contextFrom(options.context, device, null);
    return createQueueIn(context, inOrder, profiling);
  }

  /**
   * A queue of whomever: a queue object of another library or its capsule, whose native queue is
   * shared and kept; or a new queue for a selector, a context or its capsule. One of this package
   * comes back as it is, any other is to be disposed. Throws ERR_SYCLOBJ, ERR_DISPOSED.
   */
  asQueue(syclobj: SyclObject): SyclQueue {
    const { queue, context } = placeOf(syclobj, 0n);
    if (queue === null) return this.createQueue({ context });
    return queue;
  }

  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: SyclEmptyOptions = {},
  ): OwnedArray<SyclArray> {
    return super.empty(shape, dtype, options);
  }

  override array(
    source: ArrayLike | NestedNumbers,
    options: SyclEmptyOptions & ArrayOptions = {},
  ): Promise<OwnedArray<SyclArray>> {
    return super.array(source, options);
  }

  /**
   * Calls `listener` with an ERR_SYCL for each error of enqueued work that no promise carries: that
   * of a copy nobody waited for. Without a listener in the main thread it becomes a warning.
   */
  on(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    asyncErrors.on(event, listener);
    return this;
  }

  /** Ends what `on` began. */
  off(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    asyncErrors.off(event, listener);
    return this;
  }

  async synchronize(options: WaitOptions = {}): Promise<void> {
    checkOptions(options, ['signal']);
    await abortable(runtime().synchronize(), options.signal);
  }

  /**
   * Settles when the kernels are built that copies up to now have asked for. A copy of a new kind,
   * of 2^12 units or more, has its own built on another thread and goes with a slower one; from
   * 2^24 units for each kernel on it builds them first, and holds the event loop. What has to be
   * fast later on makes a copy of each kind and waits for this. Rejects with ERR_BACKEND_UNAVAILABLE
   * and with the signal's reason.
   */
  async kernelsBuilt(options: WaitOptions = {}): Promise<void> {
    checkOptions(options, ['signal']);
    await abortable(runtime().kernelsBuilt(), options.signal);
  }

  /**
   * Gives the runtime back what is kept for the next allocations of the same size: at most an eighth of a
   * device's memory, and 64 MiB of host and of shared memory. Settles when that is done. The process's own
   * next allocation takes what is kept by itself; other processes do not. Rejects with
   * ERR_BACKEND_UNAVAILABLE.
   */
  async releaseCached(): Promise<void> {
    await runtime().releaseCached();
  }
}
