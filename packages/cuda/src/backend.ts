import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type ArrayLike,
  type DTypeLike,
  type NestedNumbers,
  type OwnedArray,
  type TypedArray,
  type WaitOptions,
} from '@array-interface/core';
import {
  type Availability,
  abortable,
  type BackendArray,
  BaseBackend,
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
  throwIfAborted,
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

/** CUDA memory through the driver, which is loaded at first use. */
export class CudaBackend extends BaseBackend<CudaArray, CudaDriver> {
  /** `cuda`. */
  readonly name = 'cuda';
  /** `cuda`. */
  readonly protocol = 'cuda';

  constructor() {
    super((backend) => new CudaDriver(backend));
  }

  /** Whether there is a driver, what was tried and what to install. Never throws. */
  get availability(): Availability {
    return findDriver();
  }

  /** The driver's devices, in its order. Throws ERR_BACKEND_UNAVAILABLE. */
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
   * What the driver knows about an address, by one call that needs no context. Touches no memory.
   * The kind is `unknown` where the driver does not know the address. The package may keep memory
   * that was given back for the next array, and the driver knows it as long. Throws
   * ERR_BACKEND_UNAVAILABLE, ERR_TYPE, ERR_POINTER_RANGE.
   */
  inspectPointer(pointer: bigint): CudaPointerInfo {
    return inspectPointer(pointer);
  }

  /** Uninitialised memory, as every backend gives. */
  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: CudaEmptyOptions = {},
  ): OwnedArray<CudaArray> {
    return super.empty(shape, dtype, options);
  }

  /** Copies into new memory, as every backend does. */
  override array(
    source: ArrayLike | NestedNumbers,
    options: CudaArrayOptions = {},
  ): Promise<OwnedArray<CudaArray>> {
    return super.array(source, options);
  }

  /** Borrows a producer's memory, as every backend does; `CudaBorrowOptions` says more of its order. */
  override asArray(producer: ArrayLike, options: CudaBorrowOptions = {}): OwnedArray<CudaArray> {
    return super.asArray(producer, options);
  }

  /**
   * The elements of a typed array over a SharedArrayBuffer, or of an array in another backend's
   * host memory (the host's own, SYCL host or shared memory), in place. The device reaches them
   * where they are, and they are kept until the array has ended. Copies nothing. The caller orders
   * the host's own reads and writes and the other backend's work. Throws ERR_MASK for a masked
   * array, ERR_ARGUMENT for an ArrayBuffer, which may be transferred away, ERR_NOT_ACCESSIBLE for
   * memory that this process does not reach, and ERR_CUDA when the driver refuses the range
   * (registered already).
   */
  register(
    array: TypedArray | BackendArray,
    options: { readonly device?: number } = {},
  ): OwnedArray<CudaArray> {
    const { device: index = 0 } = readOptions(options, DEVICE_OPTIONS);
    const device = checkDevice(index);
    const given = describeSource(array, this.protocol);
    const memory = register(this, this.driver.streams, device, given);
    const pointer = memory.pointer - BigInt(given.extent[0]);
    const layout = { pointer, owner: memory, buffer: null, stream: null, syclobj: null };
    return this.driver.wrap(memory, replace(given, layout), null) as OwnedArray<CudaArray>;
  }

  /** A new pool. Throws ERR_CUDA, and ERR_ARGUMENT where the device has no pools. */
  createPool(options: PoolOptions = {}): MemoryPool {
    const read = readOptions(options, POOL_OPTIONS);
    const { device = 0, releaseThreshold = 0, maximum = 0 } = read;
    checkPools(device);
    return new MemoryPool(device, libcuda().createPool(device, releaseThreshold, maximum));
  }

  /** The device's own pool, which other libraries use too. Throws as `createPool` does. */
  defaultPool(options: { readonly device?: number } = {}): MemoryPool {
    const { device = 0 } = readOptions(options, DEVICE_OPTIONS);
    checkPools(device);
    return new MemoryPool(device, libcuda().defaultPool(device));
  }

  /**
   * A ticket for another thread, and for other processes where the memory is the device's own
   * (Linux): plain data for any message. It holds the memory until a thread has opened it, until it
   * is disposed of, or until this thread is terminated; what others have opened stays as long as they
   * have it. One thread opens it, and any number of processes. Their work is ordered after all work
   * up to now. Copies nothing and does not wait. Throws ERR_TICKET for registered memory and a
   * producer's, ERR_MASK, ERR_DISPOSED, ERR_PENDING while work on it waits for a kernel that is being
   * built, ERR_CUDA.
   */
  share(array: CudaArray, options: ShareOptions = {}): Held<Ticket | ThreadTicket> {
    return share(this.driver.streams, array, readOptions(options, SHARE_OPTIONS));
  }

  /**
   * An array over the sharer's memory, by its ticket. Our work starts after what the sharer has
   * enqueued, and the sharer's next work after ours, as if both were one. A process of this effective
   * user made the ticket, or of the user that is named. Copies nothing and does not wait; our later
   * work waits, off the event loop, while another opener holds the lock of the memory, and is
   * ERR_TICKET after 5 seconds. Throws ERR_TICKET for a ticket that is forged, altered, stale or another
   * user's, or that another thread has opened; ERR_CUDA, ERR_ARGUMENT.
   */
  openShared(
    ticket: Ticket | ThreadTicket,
    options: OpenSharedOptions = {},
  ): OwnedArray<CudaArray> {
    const { memory, descriptor } = openShared(
      this,
      this.driver.streams,
      ticket,
      readOptions(options, OPEN_SHARED_OPTIONS),
    );
    return this.driver.wrap(memory, descriptor, null) as OwnedArray<CudaArray>;
  }

  /**
   * A new stream; by default one that runs beside the legacy default stream. The driver keeps the
   * priority within what the device has. Throws ERR_ARGUMENT.
   */
  createStream(options: StreamOptions = {}): Stream {
    const read = readOptions(options, STREAM_OPTIONS);
    const { device = 0, nonBlocking = true, priority = 0 } = read;
    return this.driver.streams.create(checkDevice(device), nonBlocking, priority);
  }

  /** `createStream` under the name that every backend has. */
  createQueue(options: StreamOptions = {}): Stream {
    return this.createStream(options);
  }

  /**
   * Somebody else's stream. 1n is the legacy default stream, 2n the calling thread's own (both of
   * `device`, default 0). Any other number is a handle of the driver, and is not checked. An object
   * with `__cuda_stream__` names one too, and is kept. The stream is used, never destroyed. Throws
   * ERR_STREAM for 0n and what is no handle, ERR_TYPE, ERR_VERSION, ERR_CUDA.
   */
  stream(named: bigint | StreamProducer, options: { readonly device?: number } = {}): Stream {
    const { device: index = 0 } = readOptions(options, DEVICE_OPTIONS);
    const device = checkDevice(index);
    return this.driver.streams.named(named, device);
  }

  /**
   * Waits for all work on an array, its producer's and consumers' included, and gives its
   * descriptor without a stream, for protocols that have none. Copies nothing and holds no thread.
   * Rejects as `asArray` throws, with ERR_CUDA when work failed, and with AbortError.
   */
  async settle(array: ArrayLike, options: WaitOptions = {}): Promise<ArrayDescriptor> {
    return settle(this, this.driver, array, readSignal(options));
  }

  /** Settles when all our work on all streams has ended; holds no thread. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    throwIfAborted(signal);
    await abortable(
      this.afterWaiting(() => libcuda().waitAll()),
      signal,
    );
  }

  /** Settles when all kernels are built that copies have asked for up to now. */
  async whenKernelsReady(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    throwIfAborted(signal);
    await abortable(
      this.afterWaiting(() => libcuda().whenKernelsReady()),
      signal,
    );
  }

  /**
   * Gives the driver the memory that the package keeps for the next arrays, of all threads. Settles
   * when that is done; the driver may wait for all that the devices have to do.
   */
  async releaseCached(): Promise<void> {
    await libcuda().releaseKept();
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
