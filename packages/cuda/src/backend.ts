import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type ArrayLike,
  type DTypeLike,
  type NestedNumbers,
  type NestedRows,
  type OwnedArray,
  type TypedArray,
  type WaitOptions,
} from '@array-interface/core';
import {
  type Availability,
  type BackendArray,
  DeviceBackend,
  type DeviceInfo,
  describeSource,
  type Held,
  OPEN_SHARED_OPTIONS,
  type OpenSharedOptions,
  readOptions,
  readSignal,
  replace,
  SHARE_OPTIONS,
  type ShareOptions,
  type ThreadTicket,
} from '@array-interface/core/backend';
import type { CudaArray } from './array.js';
import { CudaDriver } from './driver.js';
import { findDriver, libcuda } from './find-driver.js';
import { checkDevice } from './memory/allocate.js';
import type { CudaBorrowOptions } from './memory/borrow.js';
import type { CudaArrayOptions, CudaEmptyOptions } from './memory/options.js';
import { type CudaPointerInfo, inspectPointer } from './memory/pointer.js';
import { MemoryPool, POOL_OPTIONS, type PoolOptions } from './memory/pool.js';
import { register } from './memory/register.js';
import { DEVICE_OPTIONS, STREAM_OPTIONS, type StreamOptions } from './options.js';
import { settle } from './settle.js';
import { openShared } from './share/open-shared.js';
import { share } from './share/share.js';
import type { Ticket } from './share/ticket.js';
import type { Stream } from './work/stream.js';
import type { StreamProducer } from './work/stream-handle.js';
import { createStream, streamNamed } from './work/streams.js';

/** The CUDA backend: arrays in device, managed and pinned memory. Loads the driver at first use. */
export class CudaBackend extends DeviceBackend<CudaArray, CudaDriver, CudaEmptyOptions> {
  /** Always `cuda`. */
  readonly name = 'cuda';
  /** Always `cuda`. */
  readonly protocol = 'cuda';

  constructor() {
    super((backend) => new CudaDriver(backend));
  }

  /**
   * Whether a driver was found; if none was, what was tried and what to install. Loads the driver
   * on the first read. Never throws.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * const { availability } = cuda;
   * if (!availability.available) console.error(availability.reason, availability.remedy);
   * ```
   */
  get availability(): Availability {
    return findDriver();
  }

  /**
   * Returns the driver's devices in the driver's order. Throws ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * for (const { index, name, memory } of cuda.devices()) console.log(index, name, memory);
   * ```
   */
  devices(): readonly DeviceInfo[] {
    const found = findDriver();
    const driverVersion = found.available ? found.version : '';
    const describe = ({ name, memory }: { name: string; memory: number }, index: number) => ({
      ...{ index, name, type: 'gpu', driverVersion, memory, limitation: null },
      handle: BigInt(index), // a CUdevice is the device's number
    });
    return libcuda().devices().map(describe);
  }

  /**
   * Returns what the driver knows about an address. The kind is `unknown` if the driver does not
   * know the address. Makes one driver call, which needs no context, and touches no memory.
   *
   * The package may cache freed memory for the next array. The driver knows the address of such
   * memory until the cache releases it.
   *
   * Throws ERR_BACKEND_UNAVAILABLE, ERR_TYPE, ERR_POINTER_RANGE.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using array = cuda.empty([4], 'float32');
   * console.log(cuda.inspectPointer(array.pointer).detail); // device
   * ```
   */
  inspectPointer(pointer: bigint): CudaPointerInfo {
    return inspectPointer(pointer);
  }

  /**
   * Allocates an uninitialised array. `byteStrides` defaults to C order, `memoryKind` to `device`.
   * The memory begins at a multiple of 64 bytes.
   *
   * If no memory is free but some is being freed, blocks the calling thread until it is, for at
   * most one second.
   *
   * Throws ERR_OUT_OF_MEMORY, ERR_ARGUMENT, ERR_OVERFLOW, ERR_CUDA, ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using array = cuda.empty([2, 3], 'float32', { memoryKind: 'shared' });
   * await cuda.fill(array, 1);
   * ```
   */
  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: CudaEmptyOptions = {},
  ): OwnedArray<CudaArray> {
    return super.empty(shape, dtype, options);
  }

  /**
   * Copies numbers, or an array of any backend, into a new array. The options are those of `empty`
   * and of `copy`. Settles as `copy` does: a copy within CUDA memory is enqueued by then, and later
   * work on the array is ordered after it.
   *
   * Waits for memory that is being freed as long as it takes, without blocking a thread. JavaScript
   * memory is read before the call returns.
   *
   * Rejects as `copy` does and with what `empty` throws. Rejects with ERR_TYPE if a list contains
   * anything but numbers. Rejects with ERR_SHAPE_MISMATCH if a list is ragged or `shape` has a
   * different number of elements.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using stream = cuda.createStream();
   * using array = await cuda.array([[0.5, 1], [2, 2.5]], { dtype: 'float32', queue: stream });
   * ```
   */
  override array(
    source: ArrayLike | NestedNumbers | NestedRows,
    options: CudaArrayOptions = {},
  ): Promise<OwnedArray<CudaArray>> {
    return super.array(source, options);
  }

  /**
   * Borrows a producer's memory without a copy. Keeps the producer alive until the array is
   * disposed. By default, work on the array starts after the work on the producer's stream. The
   * producer's next work on that stream starts after it. Neither wait blocks a thread. Does not
   * block unless `sync` is `block`. Touches no memory.
   *
   * An array of this backend yields a loan: an owner of its own that keeps the memory alive.
   *
   * Throws ERR_POINTER_UNKNOWN if the driver does not know the address, ERR_OUT_OF_BOUNDS if
   * elements lie outside the allocation, and ERR_NOT_ACCESSIBLE, ERR_STREAM, ERR_ARGUMENT,
   * ERR_DISPOSED, ERR_CUDA.
   *
   * @example
   * ```ts
   * import type { CudaArrayInterface } from '@array-interface/core';
   * import { cuda } from '@array-interface/cuda';
   *
   * declare const dict: CudaArrayInterface; // from Numba, CuPy, PyTorch, …
   * using array = cuda.asArray({ __cuda_array_interface__: dict });
   * console.log(await cuda.toTypedArray(array));
   * ```
   */
  override asArray(producer: ArrayLike, options: CudaBorrowOptions = {}): OwnedArray<CudaArray> {
    return super.asArray(producer, options);
  }

  /**
   * Registers existing host memory with the driver, so that the device accesses it in place.
   * `array` is a typed array over a SharedArrayBuffer, or an array in another backend's host memory
   * (system memory, SYCL host or shared memory). The memory is kept alive until the returned array
   * has ended. Copies nothing.
   *
   * The caller orders the host's own reads and writes, and the other backend's work.
   *
   * Throws ERR_MASK for a masked array, ERR_ARGUMENT for an ArrayBuffer, which can be transferred
   * away, and ERR_NOT_ACCESSIBLE for memory that this process cannot access. Throws ERR_CUDA if the
   * driver refuses the range, for example because it is already registered.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * const samples = new Float32Array(new SharedArrayBuffer(4096));
   * using array = cuda.register(samples);
   * await cuda.fill(array, 1);
   * await array.synchronize(); // then `samples` may be read
   * ```
   */
  register(
    array: TypedArray | BackendArray,
    options: { readonly device?: number } = {},
  ): OwnedArray<CudaArray> {
    const { device: index = 0 } = readOptions(options, DEVICE_OPTIONS);
    const device = checkDevice(index);
    const given = describeSource(array, this.protocol, undefined, 'array', this.name);
    const memory = register(this, device, given);
    const pointer = memory.pointer - BigInt(given.extent[0]);
    const layout = { pointer, owner: memory, buffer: null, stream: null, syclobj: null };
    return this.wrap(memory, replace(given, layout));
  }

  /**
   * Creates a memory pool. Throws ERR_CUDA, and ERR_ARGUMENT if the device has no pools.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using pool = cuda.createPool({ releaseThreshold: 64 * 1024 ** 2 });
   * using stream = cuda.createStream();
   * using array = cuda.empty([1024], 'float32', { pool, queue: stream });
   * ```
   */
  createPool(options: PoolOptions = {}): MemoryPool {
    const read = readOptions(options, POOL_OPTIONS);
    const { device = 0, releaseThreshold = 0, maximum = 0 } = read;
    checkPools(device);
    return new MemoryPool(device, libcuda().createPool(device, releaseThreshold, maximum));
  }

  /**
   * Returns the device's default pool, which other libraries use too. Throws ERR_CUDA, and
   * ERR_ARGUMENT if the device has no pools.
   */
  defaultPool(options: { readonly device?: number } = {}): MemoryPool {
    const { device = 0 } = readOptions(options, DEVICE_OPTIONS);
    checkPools(device);
    return new MemoryPool(device, libcuda().defaultPool(device));
  }

  /**
   * Makes a ticket by which another thread opens the array's memory. Other processes on this Linux
   * machine can open it too if it is device memory from `empty` or `array` without a pool, unless
   * `threadsOnly` is set. The ticket is plain data and fits into any message.
   *
   * The ticket keeps the memory alive until a thread has opened it, it is disposed of, or this
   * thread is terminated. Each opener keeps the memory alive by itself. One thread can open a
   * ticket, and any number of processes. Their work is ordered after all work enqueued so far.
   *
   * Copies nothing and does not block. Throws ERR_MASK, ERR_DISPOSED, ERR_CUDA, and ERR_TICKET for
   * registered memory and for memory of another library. Throws ERR_PENDING while work on the array
   * waits for a kernel that is being built.
   *
   * @example
   * ```ts
   * import type { Worker } from 'node:worker_threads';
   * import { cuda } from '@array-interface/cuda';
   *
   * declare const worker: Worker; // it calls `cuda.openShared` with the message
   * using array = await cuda.array([1, 2, 3], { dtype: 'float32' });
   * worker.postMessage(cuda.share(array));
   * ```
   */
  share(array: CudaArray, options: ShareOptions = {}): Held<Ticket | ThreadTicket> {
    return share(array, readOptions(options, SHARE_OPTIONS));
  }

  /**
   * Opens the memory of a ticket as an array. Work of this process starts after what the sharer has
   * enqueued. The sharer's next work starts after it, as if all were work of one process. The
   * ticket must come from a process of this effective user, or of the user that `user` names.
   *
   * Copies nothing and does not block. Later work waits, off the event loop, while another opener
   * holds the memory's lock; after 5 seconds it fails with ERR_TICKET.
   *
   * Throws ERR_TICKET if the ticket is forged, altered, stale, another user's, or already opened by
   * another thread; ERR_CUDA, ERR_ARGUMENT.
   *
   * @example
   * ```ts
   * import { parentPort } from 'node:worker_threads';
   * import { cuda } from '@array-interface/cuda';
   *
   * parentPort?.on('message', async (ticket) => {
   *   using array = cuda.openShared(ticket);
   *   console.log(await cuda.toTypedArray(array));
   * });
   * ```
   */
  openShared(
    ticket: Ticket | ThreadTicket,
    options: OpenSharedOptions = {},
  ): OwnedArray<CudaArray> {
    const read = readOptions(options, OPEN_SHARED_OPTIONS);
    const { memory, descriptor } = openShared(this, ticket, read);
    return this.wrap(memory, descriptor);
  }

  /**
   * Creates a stream. By default it does not synchronize with the legacy default stream. The driver
   * clamps the priority to the device's range. Throws ERR_ARGUMENT, ERR_CUDA,
   * ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using stream = cuda.createStream({ device: 0 });
   * using array = cuda.empty([3], 'float32', { queue: stream });
   * await cuda.fill(array, 0, { queue: stream });
   * await stream.synchronize();
   * ```
   */
  createStream(options: StreamOptions = {}): Stream {
    const read = readOptions(options, STREAM_OPTIONS);
    const { device = 0, nonBlocking = true, priority = 0 } = read;
    return createStream(checkDevice(device), nonBlocking, priority);
  }

  /**
   * Creates a stream. This is `createStream` under the name that every backend has. Throws
   * ERR_ARGUMENT, ERR_CUDA, ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using queue = cuda.createQueue();
   * using array = cuda.empty([3], 'float32', { queue });
   * await cuda.fill(array, 0, { queue });
   * ```
   */
  createQueue(options: StreamOptions = {}): Stream {
    return this.createStream(options);
  }

  /**
   * Wraps a stream that another library made. The stream is used but never destroyed.
   *
   * 1n is the legacy default stream and 2n the calling thread's own, both of `device` (default 0).
   * Any other number is a driver handle and is not checked. An object with `__cuda_stream__` is
   * accepted too, and is kept alive.
   *
   * Throws ERR_STREAM for 0n and for numbers that are not a handle; ERR_TYPE, ERR_VERSION,
   * ERR_CUDA.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using legacy = cuda.stream(1n);
   * using array = cuda.empty([3], 'float32');
   * await cuda.copy(array, new Float32Array([1, 2, 3]), { queue: legacy });
   * ```
   */
  stream(named: bigint | StreamProducer, options: { readonly device?: number } = {}): Stream {
    const { device: index = 0 } = readOptions(options, DEVICE_OPTIONS);
    const device = checkDevice(index);
    return streamNamed(named, device);
  }

  /**
   * Waits for all work on an array, including its producer's and consumers', and returns its
   * descriptor without a stream, for protocols that have no stream. Copies nothing and does not
   * block. Rejects with what `asArray` throws, with ERR_CUDA if work failed, and with AbortError.
   *
   * @example
   * ```ts
   * import { toSyclUsmArrayInterface } from '@array-interface/core';
   * import { cuda } from '@array-interface/cuda';
   *
   * using array = await cuda.array([1, 2, 3], { dtype: 'float32' });
   * const settled = await cuda.settle(array);
   * const dict = toSyclUsmArrayInterface(settled, { syclobj: 'gpu' });
   * ```
   */
  async settle(array: ArrayLike, options: WaitOptions = {}): Promise<ArrayDescriptor> {
    return settle(this, this.driver, array, readSignal(options));
  }
}

function checkPools(device: number): void {
  if (libcuda().hasPools(checkDevice(device))) return;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'device',
    `expected a device with memory pools, got ${device}, whose driver has none; leave out the pool`,
  );
}
