import type {
  ArrayInterfaceError,
  ArrayLike,
  ArrayOptions,
  DTypeLike,
  NestedNumbers,
  NestedRows,
  OwnedArray,
  SyclObject,
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
  DeviceBackend,
  OPEN_SHARED_OPTIONS,
  readOptions,
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
import { resolveSyclobj } from './work/syclobj.js';

/**
 * A SYCL device: its filter selector (`opencl:cpu:0`), which names it to every SYCL program, its
 * backend, its compute units, and the aspects that matter to arrays, by SYCL's names.
 */
export type SyclDevice = NativeDevice;

/** What the runtime reports about a pointer. */
export interface SyclPointerInfo extends PointerInfo {
  /**
   * The context that the memory belongs to: a default context, or one that was imported. Null if
   * none of these has the pointer.
   */
  readonly context: SyclContext | null;
}

/**
 * SYCL USM memory, queues and kernels, through dpctl's C library. The library is loaded on first
 * use.
 */
export class SyclBackend extends DeviceBackend<SyclArray, SyclDriver, SyclEmptyOptions> {
  /** The name of the backend: `sycl`. */
  readonly name = 'sycl';
  /** The array interface that its arrays expose: `sycl`. */
  readonly protocol = 'sycl';

  constructor() {
    super((backend) => new SyclDriver(backend));
  }

  /**
   * Reports whether a SYCL runtime with a device is available. If not, lists what was tried and
   * what to install. Loads the runtime when it is first read. Never throws.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * const { availability } = sycl;
   * if (!availability.available) console.error(availability.reason, availability.remedy);
   * ```
   */
  get availability(): Availability {
    return findRuntime();
  }

  /**
   * Lists the devices of the runtime, in the runtime's order. Throws ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * for (const { selector, name, memory } of sycl.devices()) console.log(selector, name, memory);
   * ```
   */
  devices(): readonly SyclDevice[] {
    return runtime().devices();
  }

  /**
   * Returns a device in its default context, which dpctl and dpnp share. Throws
   * ERR_BACKEND_UNAVAILABLE, and ERR_ARGUMENT for a device that does not exist.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using array = sycl.empty([3], 'float32', { context: sycl.context(0) });
   * ```
   */
  context(device = 0): SyclContext {
    return contextOf(device);
  }

  /**
   * Partitions a device into parts of `computeUnits` compute units. Each part has a context of its
   * own, for `createQueue({ context })`. Throws ERR_BACKEND_UNAVAILABLE, and ERR_ARGUMENT if the
   * device cannot be partitioned so.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * const queues = sycl.divide(0, 1).map((context) => sycl.createQueue({ context }));
   * ```
   */
  divide(device: number, computeUnits: number): readonly SyclContext[] {
    return runtime().divide(device, computeUnits).map(contextAt);
  }

  /**
   * Returns what the runtime reports about an address. Does not access the memory. Throws
   * ERR_BACKEND_UNAVAILABLE, ERR_POINTER_RANGE.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using array = sycl.empty([3], 'float32', { memoryKind: 'shared' });
   * const { memoryKind, hostAccessible } = sycl.inspectPointer(array.pointer);
   * console.log(memoryKind, hostAccessible); // shared true
   * ```
   */
  inspectPointer(pointer: bigint): SyclPointerInfo {
    const { type, contextDevice, range: allocation } = runtime().queryPointer(pointer);
    const memoryKind = KINDS[type] as PointerInfo['memoryKind'];
    const context = contextDevice === null ? null : contextAt(contextDevice);
    const device = context?.device ?? null;
    return { memoryKind, device, context, allocation, hostAccessible: type > 1 };
  }

  /**
   * Creates a queue on a device. Throws ERR_BACKEND_UNAVAILABLE, and ERR_ARGUMENT for a device that
   * does not exist or a context of another device.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using queue = sycl.createQueue({ device: 0, profiling: true });
   * using array = sycl.empty([3], 'float32', { queue });
   * await sycl.copy(array, new Float32Array([1, 2, 3]), { queue });
   * await queue.synchronize();
   * ```
   */
  createQueue(options: SyclQueueOptions = {}): SyclQueue {
    const read = readOptions(options, QUEUE_OPTIONS);
    const { device, inOrder = true, profiling = false } = read;
    const context = contextFrom(read.context, device, null);
    return createQueueIn(context, inOrder, profiling);
  }

  /**
   * Returns the queue that a `syclobj` names. A queue of this package is returned unchanged;
   * dispose of any other. For another library's queue object, or its capsule, the result shares the
   * native queue and keeps it. For a filter selector, a context or the capsule of a context, it is
   * a new queue. Throws ERR_BACKEND_UNAVAILABLE, ERR_SYCLOBJ, ERR_DISPOSED.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using queue = sycl.asQueue('opencl:cpu:0');
   * ```
   */
  asQueue(syclobj: SyclObject): SyclQueue {
    const { queue, context } = resolveSyclobj(syclobj, 0n);
    if (queue === null) return this.createQueue({ context });
    return queue;
  }

  /**
   * Allocates an uninitialised array in USM memory: device memory, or shared or host memory by
   * `memoryKind`. The first element is aligned to 64 bytes, or to a larger `alignment`. If no
   * memory is free but some is being freed, blocks for at most a second. Throws
   * ERR_BACKEND_UNAVAILABLE, ERR_OUT_OF_MEMORY, ERR_ARGUMENT, ERR_OVERFLOW.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using array = sycl.empty([2, 3], 'float32', { memoryKind: 'shared' });
   * await sycl.fill(array, 1);
   * ```
   */
  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: SyclEmptyOptions = {},
  ): OwnedArray<SyclArray> {
    return super.empty(shape, dtype, options);
  }

  /**
   * Returns a ticket with which one other thread of this process opens the array. The ticket is
   * plain data that any message can carry. It keeps the memory until a thread has opened it, until
   * it is disposed of, or until this thread is terminated. The opened array then keeps the memory
   * itself. Work of both threads on the memory is ordered.
   *
   * Copies nothing and does not block. Throws ERR_TICKET for a producer's memory, ERR_DISPOSED, and
   * ERR_SYCL. The options are those of every backend; other processes cannot open USM memory.
   *
   * @example
   * ```ts
   * import type { Worker } from 'node:worker_threads';
   * import { sycl } from '@array-interface/sycl';
   *
   * declare const worker: Worker; // it calls `sycl.openShared` with the message
   * using array = await sycl.array([1, 2, 3], { dtype: 'float32' });
   * worker.postMessage(sycl.share(array));
   * ```
   */
  share(array: SyclArray, options: ShareOptions = {}): Held<ThreadTicket> {
    readOptions(options, SHARE_OPTIONS);
    return share(array);
  }

  /**
   * Opens a ticket of `share`: returns an array over the same memory. Copies nothing and does not
   * block. Throws ERR_TICKET if another thread has opened the ticket or the ticket has ended. The
   * options are those of every backend; other processes cannot open USM memory.
   *
   * @example
   * ```ts
   * import { parentPort } from 'node:worker_threads';
   * import { sycl } from '@array-interface/sycl';
   *
   * parentPort?.once('message', async (ticket) => {
   *   using shared = sycl.openShared(ticket);
   *   await sycl.fill(shared, 1);
   * });
   * ```
   */
  openShared(ticket: ThreadTicket, options: OpenSharedOptions = {}): OwnedArray<SyclArray> {
    readOptions(options, OPEN_SHARED_OPTIONS);
    const { memory, descriptor } = openShared(this, ticket);
    return this.wrap(memory, descriptor);
  }

  /**
   * Copies numbers, or an array of any library or backend, into a new array in USM memory. Takes
   * the options of `empty`, and `dtype`, `shape` and `casting` for the copy.
   *
   * JavaScript memory is read before the call returns. If no memory is free but some is being
   * freed, waits for it without blocking a thread. Rejects with what `empty` throws, with ERR_TYPE
   * for lists of anything but numbers, with ERR_SHAPE_MISMATCH for ragged lists or if `shape` has
   * another number of elements, and as `copy` does.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using image = await sycl.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' });
   * using flat = await sycl.array(image, { shape: [-1], memoryKind: 'host' });
   * ```
   */
  override array(
    source: ArrayLike | NestedNumbers | NestedRows,
    options: SyclEmptyOptions & ArrayOptions = {},
  ): Promise<OwnedArray<SyclArray>> {
    return super.array(source, options);
  }

  /**
   * Calls `listener` with an ERR_SYCL for each error of enqueued work that rejects no promise, such
   * as a copy that nobody awaits. Without a listener, the main thread emits a warning. Throws
   * ERR_ARGUMENT for another event, and ERR_TYPE if `listener` is not a function.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * sycl.on('error', (error) => console.error(error.code, error.message));
   * ```
   */
  on(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    checkListener(event, listener);
    asyncErrors.on(event, listener);
    return this;
  }

  /**
   * Removes a listener that `on` added. Throws ERR_ARGUMENT for another event, and ERR_TYPE if
   * `listener` is not a function.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * const listener = (error: Error) => console.error(error.message);
   * sycl.on('error', listener);
   * sycl.off('error', listener);
   * ```
   */
  off(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    checkListener(event, listener);
    asyncErrors.off(event, listener);
    return this;
  }
}
