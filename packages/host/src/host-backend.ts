import { createRequire } from 'node:module';
import { arch, cpus, release, totalmem } from 'node:os';
import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import {
  type ArrayLike,
  type Availability,
  BaseBackend,
  type BorrowOptions,
  type CopyOptions,
  type CopyPlan,
  type Device,
  type EmptyOptions,
  type Guest,
  isContiguous,
  type Memory,
  type PointerInfo,
  type Queue,
  type Staging,
  type TypedArray,
  type WaitOptions,
} from '@array-interface/core/backend';
import { addon, addonPath } from './addon.js';
import { AllocatedMemory } from './allocated-memory.js';
import { borrow } from './borrow.js';
import { BorrowedMemory } from './borrowed-memory.js';
import { BufferMemory } from './buffer-memory.js';
import { guest } from './guest.js';
import { HostArray } from './host-array.js';
import { HostQueue, type HostQueueOptions } from './host-queue.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/** How a copy on the host casts, on which queue and how many threads it runs. */
export interface HostCopyOptions extends CopyOptions {
  /**
   * Most threads that work on the copy, the calling one among them: 1 to 1024. They end with it. A
   * copy takes one for each MiB that it writes at most, and those that the system gives. Default:
   * the queue's.
   */
  readonly threads?: number;
}

/**
 * System memory as a backend: what the others are compared with. Every operation runs at once, on
 * the calling thread; its promises are settled when they are returned.
 */
export class HostBackend extends BaseBackend<HostArray> {
  readonly name = 'host';
  readonly protocol = 'host';
  protected override readonly worksAtOnce = true;
  readonly #queue = new HostQueue();

  get availability(): Availability {
    try {
      addon();
      return { available: true, library: 'built in', version };
    } catch (error) {
      const reason = (error as Error).message;
      const remedy = 'run `npm run setup`, which needs a C++17 compiler and CMake';
      return { available: false, reason, tried: [addonPath()], remedy };
    }
  }

  devices(): readonly Device[] {
    addon();
    const name = cpus()[0]?.model || arch();
    return [{ index: 0, name, type: 'cpu', driverVersion: release(), memory: totalmem() }];
  }

  /** `pageable` for all that this process can read; ranges are known of own allocations only. */
  inspectPointer(pointer: bigint): PointerInfo {
    const allocation = addon().find(pointer);
    const access = addon().access(pointer, 1);
    const hostAccessible = allocation !== null || access?.readable === 1;
    return {
      memoryKind: hostAccessible ? 'pageable' : 'unknown',
      device: hostAccessible ? 0 : null,
      allocation,
      hostAccessible,
    };
  }

  /** Throws ERR_ARGUMENT for another device than 0, or other than 1 to 1024 threads. */
  createQueue(options: HostQueueOptions = {}): HostQueue {
    addon();
    checkDevice(options.device);
    return new HostQueue(options.threads);
  }

  override copy(
    destination: ArrayLike,
    source: ArrayLike,
    options: HostCopyOptions = {},
  ): Promise<void> {
    const isPlain = options?.queue === undefined && options?.threads === undefined;
    if (isPlain) return super.copy(destination, source, options);
    return this.#copyOn(destination, source, options);
  }

  /** On a queue or threads that were asked for. */
  async #copyOn(destination: ArrayLike, source: ArrayLike, options: HostCopyOptions) {
    const { queue, threads } = options;
    if (queue !== undefined) checkQueue(queue);
    if (threads === undefined) return super.copy(destination, source, options);
    queue?.assertLive();
    const asked = new HostQueue(threads);
    return super.copy(destination, source, { ...options, queue: asked });
  }

  override fill(
    destination: ArrayLike,
    value: number | bigint | boolean,
    options: HostCopyOptions = {},
  ): Promise<void> {
    return super.fill(destination, value, options);
  }

  override toTypedArray(source: ArrayLike, options: HostCopyOptions = {}): Promise<TypedArray> {
    return super.toTypedArray(source, options);
  }

  async synchronize(options: WaitOptions = {}): Promise<void> {
    options.signal?.throwIfAborted();
  }

  protected allocate(byteLength: number, options: EmptyOptions): Memory {
    checkDevice(options.device);
    const { memoryKind = 'pageable', queue } = options;
    if (queue !== undefined) checkQueue(queue);
    if (memoryKind === 'pageable') return new AllocatedMemory(this, byteLength, queue ?? null);
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'memoryKind',
      `expected pageable memory, which is all that the host backend has, got '${memoryKind}'`,
    );
  }

  protected borrow(array: ArrayDescriptor, options: BorrowOptions): Memory {
    return borrow(this, array, options);
  }

  /** Memory of devices that this process reaches, once its pages are proved to be there. */
  protected override guest(array: ArrayDescriptor, memory: Memory): Guest | null {
    return guest(this, array, memory);
  }

  /** JavaScript memory is reached by its address. */
  protected override resolve(array: ArrayDescriptor): ArrayDescriptor {
    if (array.buffer === null) return array;
    const memory = new BufferMemory(this, array.buffer);
    const pointer = memory.pointer + array.pointer;
    const resolved = array.with({ pointer, buffer: null, owner: memory });
    memory.assertHolds(resolved, 'data');
    return resolved;
  }

  protected override hold(array: ArrayDescriptor, path: string): Memory {
    const memory = super.hold(array, path);
    const refused = path === 'destination' && memory instanceof BorrowedMemory && !memory.writable;
    if (!refused) return memory;
    memory.release();
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      'expected pages that may be written, got a mapping that is read-only, whatever its producer ' +
        'says; copy into a new array instead',
    );
  }

  protected wrap(memory: Memory, descriptor: ArrayDescriptor): HostArray {
    return new HostArray(memory, descriptor);
  }

  protected defaultQueue(): Queue {
    return this.#queue;
  }

  protected enqueue(queue: Queue, plan: CopyPlan): void {
    const { threads } = queue as HostQueue;
    const { destination, source, nbytes } = plan;
    if (threads === 1 && isContiguous(plan)) addon().copyBytes(destination, source, nbytes);
    else addon().copy(plan, threads);
  }

  /** Never called: no side of a copy is JavaScript memory once it is resolved. */
  protected stage(): Staging {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      null,
      'expected memory with an address, got none',
    );
  }
}

function checkDevice(device = 0): void {
  if (device === 0) return;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'device',
    `expected device 0, the only one of the host backend, got ${String(device)}`,
  );
}

function checkQueue(queue: Queue): void {
  if (queue instanceof HostQueue) return;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    'expected a queue of the host backend, got one of another; copy with the backend of the queue',
  );
}
