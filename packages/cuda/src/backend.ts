import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import {
  type ArrayLike,
  type Availability,
  abortable,
  BaseBackend,
  type CopyOptions,
  type CopyPlan,
  type Device,
  type EmptyOptions,
  type Memory,
  type PointerInfo,
  type Queue,
  type QueueOptions,
  type Staging,
  type WaitOptions,
} from '@array-interface/core/backend';
import type { CudaMemoryKind } from './addon.js';
import { AllocatedMemory } from './allocated-memory.js';
import { CudaArray } from './array.js';
import { borrow, type CudaBorrowOptions } from './borrow.js';
import { deviceCount, driver, findDriver } from './driver.js';
import { Loans } from './loans.js';
import type { CudaMemory } from './memory.js';
import { inspectPointer } from './pointer.js';
import { checkReach } from './reach.js';
import { PinnedStaging } from './staging.js';
import { ownStream, type Stream } from './stream.js';
import { Streams } from './streams.js';

export interface StreamOptions extends QueueOptions {
  /** Whether it runs beside the legacy default stream; default true. */
  readonly nonBlocking?: boolean;
  /** Lower numbers go first, within the device's range; default 0. */
  readonly priority?: number;
}

const KINDS: readonly CudaMemoryKind[] = ['device', 'shared', 'host'];

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
  inspectPointer(pointer: bigint): PointerInfo {
    return inspectPointer(pointer);
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
   * `device`, default 0), all other numbers are the driver's handles, believed. It is used, never
   * destroyed. Throws ERR_STREAM for 0n and what is no handle, ERR_CUDA.
   */
  stream(handle: bigint, options: QueueOptions = {}): Stream {
    const { device = 0 } = options;
    if (typeof handle === 'bigint' && (handle <= 0n || handle >= 2n ** 64n)) {
      throw new ArrayInterfaceError(
        'ERR_STREAM',
        'stream',
        `expected 1n, 2n or a stream's handle, got ${handle}n, which names none`,
      );
    }
    const { borrowStream } = driver();
    return this.#streams.add(borrowStream(handle, this.#checkDevice(device)));
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
    await abortable(Promise.all(waits), options.signal);
    this.#streams.forgetReached();
  }

  /** The block of ours at a range that the driver named, or null. @internal */
  lenderOf(range: { readonly pointer: bigint } | null): AllocatedMemory | null {
    return range === null ? null : this.#loans.find(range.pointer);
  }

  /** A block was given back: its address may soon be another's. @internal */
  forget(memory: AllocatedMemory): void {
    this.#loans.delete(memory);
  }

  protected allocate(byteLength: number, options: EmptyOptions): AllocatedMemory {
    const home = options.queue === undefined ? null : ownStream(options.queue);
    const device = this.#checkDevice(options.device ?? home?.device ?? 0);
    if (home !== null && home.device !== device) {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        'device',
        `expected the stream's device ${home.device}, got ${device}; name one of the two`,
      );
    }
    const kind = checkKind(options.memoryKind ?? 'device');
    const memory = new AllocatedMemory(this, device, kind, byteLength, home);
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
    return new PinnedStaging(new AllocatedMemory(this, queue.device, 'staging', byteLength));
  }

  protected defaultQueue(memory: Memory): Stream {
    const { device } = memory as CudaMemory;
    const known = this.#defaults.get(device);
    if (known !== undefined) return known;
    const made = this.createStream({ device });
    this.#defaults.set(device, made);
    return made;
  }

  protected override move(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    options: CopyOptions,
    keep: readonly Memory[] = [],
  ): Queue {
    const queue =
      options.queue ?? target.homeQueue ?? origin.homeQueue ?? this.defaultQueue(target);
    for (const memory of [target, origin]) checkReach(ownStream(queue), memory as CudaMemory);
    return super.move(to, target, from, origin, { ...options, queue }, keep);
  }

  protected enqueue(queue: Queue, plan: CopyPlan): void {
    ownStream(queue).enqueue(plan);
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

function checkKind(kind: string): CudaMemoryKind {
  const known = KINDS.find((one) => one === kind);
  if (known !== undefined) return known;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'memoryKind',
    `expected device, shared or host, got ${kind}; the CUDA driver allocates no other memory`,
  );
}
