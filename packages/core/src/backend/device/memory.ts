import type { Allocation, MemoryKind } from '../interface/device.js';
import { type BackendIdentity, Memory } from '../interface/memory.js';
import type { DeviceAddon, MemoryHandle } from './addon.js';
import type { DeviceQueue } from './queue.js';

/** Properties of new memory, besides those that only its backend knows. */
export interface DeviceMemoryFacts<
  Queue extends DeviceQueue = DeviceQueue,
  Kind extends MemoryKind = MemoryKind,
> {
  /** The reference to the memory, which ends with it. */
  readonly native: MemoryHandle;
  /** Kind of memory. */
  readonly memoryKind: Kind;
  /** The first byte, in the address space of its arrays. */
  readonly pointer: bigint;
  /** The range that is known to exist. Null if the caller asked to trust it, or nobody knows. */
  readonly allocation: Allocation | null;
  /**
   * Offset from an address of its arrays to the address for this process. Null if this process
   * cannot access the memory.
   */
  readonly hostOffset: bigint | null;
  /** The queue for work that names none. */
  readonly homeQueue?: Queue | null | undefined;
  /** Keeps a producer's memory alive. */
  readonly producer?: unknown;
  /** The producer's queue, after whose work this memory's work is ordered. */
  readonly producerQueue?: Queue | null | undefined;
}

/** Memory whose native part tracks the dependencies of work on it. */
export abstract class DeviceMemory<
  Queue extends DeviceQueue = DeviceQueue,
  Kind extends MemoryKind = MemoryKind,
> extends Memory {
  /** See `Memory.homeQueue`. */
  declare readonly homeQueue: Queue | null;
  /** See `Memory.backend`. */
  readonly backend: BackendIdentity;
  /** See `Memory.memoryKind`. */
  readonly memoryKind: Kind;
  /** See `Memory.pointer`. */
  readonly pointer: bigint;
  /** See `Memory.allocation`. */
  readonly allocation: Allocation | null;
  /** See `Memory.hostOffset`. */
  readonly hostOffset: bigint | null;
  /** The reference to the memory in the addon. */
  readonly native: MemoryHandle;
  /** Keeps a producer from being collected. Null for memory that the backend allocated. */
  readonly producer: unknown;
  /** The producer's queue. Null if no work is pending there. */
  readonly producerQueue: Queue | null;
  readonly #addon: DeviceAddon;

  /** Takes over the native reference. */
  constructor(addon: DeviceAddon, backend: BackendIdentity, facts: DeviceMemoryFacts<Queue, Kind>) {
    super(facts.homeQueue ?? null);
    this.#addon = addon;
    this.backend = backend;
    this.native = facts.native;
    this.memoryKind = facts.memoryKind;
    this.pointer = facts.pointer;
    this.allocation = Object.freeze(facts.allocation);
    this.hostOffset = facts.hostOffset;
    this.producer = facts.producer ?? null;
    this.producerQueue = facts.producerQueue ?? null;
    this.producerQueue?.retain();
  }

  /** Whether the backend allocated it, for arrays whose work it orders itself. */
  get isOwn(): boolean {
    return this.producer === null && this.producerQueue === null;
  }

  /**
   * Makes a queue that consumers are told of wait for all work on the memory, and this library's
   * later work wait for what they enqueue there. Throws ERR_PENDING while work on the memory waits
   * for a kernel that is being built.
   */
  protected exportOn(queue: Queue): void {
    this.assertEnqueued('array');
    this.#addon.exportOn(this.native, queue.native);
  }

  /** See `Memory.workEnded`. */
  protected workEnded(): Promise<void> {
    return this.#addon.waitMemory(this.native);
  }

  /** Releases the native reference and the producer's queue. */
  protected free(): void {
    this.#addon.endMemory(this.native);
    this.producerQueue?.release();
  }
}
