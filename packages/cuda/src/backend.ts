import { type ArrayDescriptor, ArrayInterfaceError, type DTypeLike } from '@array-interface/core';
import {
  type ArrayLike,
  type Availability,
  abortable,
  type BackendArray,
  BaseBackend,
  type CopyOptions,
  type CopyPlan,
  type Device,
  describeSource,
  type Event,
  type Guest,
  type Memory,
  type Nested,
  type Queue,
  type QueueOptions,
  type Staging,
  type TypedArray,
  type WaitOptions,
  waitForUnknown,
} from '@array-interface/core/backend';
import { allocate } from './allocate.js';
import { AllocatedMemory } from './allocated-memory.js';
import { CudaArray } from './array.js';
import { borrow, type CudaBorrowOptions } from './borrow.js';
import { deviceCount, driver, findDriver } from './driver.js';
import { guest } from './guest.js';
import { Loans } from './loans.js';
import type { CudaMemory } from './memory.js';
import { openShared } from './open-shared.js';
import type { CudaArrayOptions, CudaEmptyOptions, StreamOptions } from './options.js';
import { type CudaPointerInfo, inspectPointer } from './pointer.js';
import { MemoryPool, type PoolOptions } from './pool.js';
import { checkPrimary, reaches } from './reach.js';
import { RegisteredMemory } from './registered-memory.js';
import { share } from './share.js';
import { PinnedStaging } from './staging.js';
import { ownStream, Stream } from './stream.js';
import { type StreamProducer, streamHandle } from './stream-handle.js';
import { isOfCapture, Streams } from './streams.js';
import type { Ticket } from './ticket.js';

/** CUDA memory through the driver, which is loaded when something first needs it. */
export class CudaBackend extends BaseBackend<CudaArray> {
  readonly name = 'cuda';
  readonly protocol = 'cuda';
  /** One stream for each device, for work that names none. */
  readonly #defaults = new Map<number, Stream>();
  readonly #streams = new Streams();
  readonly #loans = new Loans();

  /** Whether there is a driver, what was tried and what to install. Never throws. */
  get availability(): Availability {
    return findDriver();
  }

  /** The driver's devices, in its order. Throws ERR_BACKEND_UNAVAILABLE. */
  devices(): readonly Device[] {
    const found = findDriver();
    const driverVersion = found.available ? found.version : '';
    return driver()
      .devices()
      .map(({ name, memory }, index) => ({ index, name, type: 'gpu', driverVersion, memory }));
  }

  /**
   * What the driver knows about an address, with one call that needs no context. Touches no memory;
   * `unknown` for all that the driver does not know. Throws ERR_BACKEND_UNAVAILABLE, ERR_TYPE,
   * ERR_POINTER_RANGE.
   */
  inspectPointer(pointer: bigint): CudaPointerInfo {
    return inspectPointer(this, pointer);
  }

  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: CudaEmptyOptions = {},
  ): CudaArray {
    return super.empty(shape, dtype, options);
  }

  override array(source: ArrayLike | Nested, options: CudaArrayOptions = {}): Promise<CudaArray> {
    return super.array(source, options);
  }

  /**
   * The elements of a typed array over a SharedArrayBuffer, or of an array in another backend's host
   * memory (the host's own, SYCL host or shared memory), in place: the device reaches them where they
   * are, and they are kept until the array has ended. Copies nothing; the host's own reads and writes and
   * the other backend's work are the caller's to order. Throws ERR_MASK for a masked array, ERR_ARGUMENT
   * for an ArrayBuffer, which may be transferred away, ERR_NOT_ACCESSIBLE for memory that this process
   * does not reach, and ERR_CUDA when the driver refuses the range (registered already).
   */
  register(array: TypedArray | BackendArray, options: QueueOptions = {}): CudaArray {
    const device = this.#checkDevice(options.device ?? 0);
    const given = describeSource(array);
    const memory = new RegisteredMemory(this, device, given);
    this.#loans.add(memory);
    const pointer = memory.pointer - BigInt(given.extent[0]);
    const layout = { pointer, owner: memory, buffer: null, stream: null, syclobj: null };
    return this.wrap(memory, given.with(layout));
  }

  /** A pool of our own. Throws ERR_ARGUMENT where the device has none, ERR_CUDA. */
  createPool(options: PoolOptions = {}): MemoryPool {
    const { device = 0, releaseThreshold = 0, maximum = 0 } = options;
    this.#checkPools(device);
    return new MemoryPool(device, driver().createPool(device, releaseThreshold, maximum));
  }

  /** The pool that the device has, and other libraries use. Throws as `createPool` does. */
  defaultPool(options: QueueOptions = {}): MemoryPool {
    const { device = 0 } = options;
    this.#checkPools(device);
    return new MemoryPool(device, driver().defaultPool(device));
  }

  /**
   * A ticket for another process: plain data for any message between processes. The memory is kept
   * while the array is, and then until every process that opened the ticket has released it or
   * ended. Copies nothing and does not wait; what the other process reads is ordered after all work
   * up to then. Linux. Throws ERR_TICKET for memory that cannot be shared (managed, pinned,
   * registered, of a pool, borrowed, or opened itself), ERR_MASK, ERR_DISPOSED, ERR_CUDA.
   */
  share(array: CudaArray): Ticket {
    return share(this, array);
  }

  /**
   * The array of a ticket, in the sharer's memory: zero-copy. Our work starts after what the sharer
   * has enqueued, and its next work after ours, as if both were in one process. Does not wait. Throws
   * ERR_TICKET for one that is forged, altered, stale, or of this process; ERR_CUDA.
   */
  openShared(ticket: Ticket): CudaArray {
    const { memory, descriptor } = openShared(this, ticket);
    this.#loans.add(memory);
    return this.wrap(memory, descriptor);
  }

  /**
   * A new stream; by default one that runs beside the legacy default stream. The driver keeps the
   * priority within what the device has. Throws ERR_ARGUMENT.
   */
  createStream(options: StreamOptions = {}): Stream {
    const { device = 0, nonBlocking = true, priority = 0 } = options;
    if (Number.isInteger(priority) && priority !== (priority | 0)) {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        'priority',
        `expected a 32-bit integer, got ${priority}; lower numbers go first`,
      );
    }
    const { createStream } = driver();
    return this.#streams.add(createStream(this.#checkDevice(device), nonBlocking, priority));
  }

  /** The same as `createStream`, as every backend has it. */
  createQueue(options: StreamOptions = {}): Stream {
    return this.createStream(options);
  }

  /**
   * Somebody else's stream: 1n is the legacy default stream, 2n the calling thread's own (both of
   * `device`, default 0), all other numbers are the driver's handles, believed; or an object with
   * `__cuda_stream__`, which is kept. It is used, never destroyed. Throws ERR_STREAM for 0n and what
   * is no handle, ERR_TYPE, ERR_VERSION, ERR_CUDA.
   */
  stream(named: bigint | StreamProducer, options: QueueOptions = {}): Stream {
    const { device = 0 } = options;
    const handle = streamHandle(named);
    const { borrowStream } = driver();
    const producer = typeof named === 'bigint' ? null : named;
    return this.#streams.borrow(borrowStream(handle, this.#checkDevice(device)), producer);
  }

  /** Does something with a stream, ours or named by its handle for this alone. @internal */
  withStream<T>(
    named: Stream | bigint | StreamProducer,
    device: number,
    use: (stream: Stream) => T,
  ): T {
    if (named instanceof Stream) {
      named.assertLive();
      return use(named);
    }
    using stream = this.stream(named, { device });
    return use(stream);
  }

  /** The stream for work on a device that names none, kept for good. @internal */
  streamOf(device: number): Stream {
    const known = this.#defaults.get(device);
    if (known !== undefined) return known;
    const made = this.createStream({ device });
    this.#defaults.set(device, made);
    return made;
  }

  /** A stream of the device's primary context on which all work of another is waited for. @internal */
  streamOn(device: number, stream: Stream): Stream {
    if (stream.device === device && stream.isPrimary) return stream;
    const own = this.streamOf(device);
    own.wait(stream.record());
    return own;
  }

  override asArray(producer: ArrayLike, options: CudaBorrowOptions = {}): CudaArray {
    return super.asArray(producer, options);
  }

  override async copy(
    destination: ArrayLike,
    source: ArrayLike,
    options: CopyOptions = {},
  ): Promise<void> {
    if (options.queue !== undefined) ownStream(options.queue);
    return super.copy(destination, source, options);
  }

  /** Settles when all our work on all streams has ended; holds no thread. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    options.signal?.throwIfAborted();
    const waits = this.#streams.points().map((point) => point.synchronize());
    const ends = await abortable(Promise.allSettled(waits), options.signal);
    this.#streams.forgetReached();
    const failed = ends.find((end) => end.status === 'rejected' && !isOfCapture(end.reason));
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** The block of ours at a range that the driver named, or null. @internal */
  lenderOf(range: { readonly pointer: bigint } | null): AllocatedMemory | null {
    return range === null ? null : this.#loans.find(range.pointer);
  }

  /** A block was given back: its address may soon be another's. @internal */
  forget(memory: AllocatedMemory): void {
    this.#loans.delete(memory);
  }

  protected allocate(byteLength: number, options: CudaEmptyOptions): AllocatedMemory {
    const home = options.queue === undefined ? null : ownStream(options.queue);
    const device = this.#checkDevice(options.device ?? home?.device ?? 0);
    if (home !== null && home.device !== device) {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        'device',
        `expected the stream's device ${home.device}, got ${device}; name one of the two`,
      );
    }
    const memory = allocate(this, device, byteLength, home, options);
    this.#loans.add(memory);
    return memory;
  }

  protected borrow(array: ArrayDescriptor, options: CudaBorrowOptions): CudaMemory {
    return borrow(this, array, options);
  }

  protected wrap(memory: Memory, descriptor: ArrayDescriptor): CudaArray {
    return new CudaArray(memory as CudaMemory, descriptor);
  }

  protected stage(byteLength: number, queue: Queue): Staging {
    const { device } = queue;
    const made = driver().allocate(device, 'staging', byteLength);
    return new PinnedStaging(
      new AllocatedMemory(this, made, { device, memoryKind: 'host', byteLength }),
    );
  }

  protected defaultQueue(memory: Memory): Stream {
    return this.streamOf((memory as CudaMemory).device);
  }

  protected override move(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    options: CopyOptions,
  ): Event {
    const queue = ownStream(
      options.queue ?? target.homeQueue ?? origin.homeQueue ?? this.defaultQueue(target),
    );
    checkPrimary(queue);
    const isReached = [target, origin].every((memory) => reaches(queue, memory as CudaMemory));
    if (isReached) return super.move(to, target, from, origin, { ...options, queue });
    return this.#moveAcross(to, target, from, origin, queue);
  }

  /**
   * Between devices of which one does not reach the other: dense copies on both, and between them
   * the driver's own copy, which needs no access. In the order of `queue`, as if it had done the work.
   */
  #moveAcross(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    queue: Stream,
  ): Event {
    queue.assertRuns();
    const [near, far] = [this.defaultQueue(origin), this.defaultQueue(target)];
    near.wait(queue.record());
    using packed = this.empty(from.shape, from.dtype, { device: near.device, queue: near });
    using landed = this.empty(from.shape, from.dtype, { device: far.device, queue: far });
    super.move(packed.descriptor, packed.memory, from, origin, { queue: near });
    try {
      const [dense, there] = [packed.descriptor, landed.descriptor];
      super.move(there, landed.memory, dense, packed.memory, { queue: far });
      const event = super.move(to, target, there, landed.memory, { queue: far });
      queue.wait(event);
      return event;
    } catch (error) {
      waitForUnknown(near);
      waitForUnknown(far);
      throw error;
    }
  }

  protected override guest(array: ArrayDescriptor, memory: Memory, queue: Queue): Guest | null {
    return guest(this, array, memory, queue.device);
  }

  protected enqueue(queue: Queue, plan: CopyPlan): void {
    ownStream(queue).enqueue(plan);
  }

  #checkPools(device: number): void {
    if (driver().hasPools(this.#checkDevice(device))) return;
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'device',
      `expected a device with memory pools, got ${device}, whose driver has none; leave out the pool`,
    );
  }

  #checkDevice(device: number): number {
    const count = deviceCount();
    if (Number.isInteger(device) && device >= 0 && device < count) return device;
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'device',
      `expected a device from 0 to ${count - 1}, got ${String(device)}; see cuda.devices()`,
    );
  }
}
