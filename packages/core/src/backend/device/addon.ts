import type { EncodedPlan } from '../../plan/encode-plan.js';
import type { NativeAddon } from '../addon/load-addon.js';
import type {
  ArrayCapsule,
  CapsuleContents,
  CapsuleFields,
  capsuleContents,
} from '../interface/capsule.js';
import type { Sync } from '../interface/options.js';

/** Handles of native objects. The addon tells them apart by type tags. */
export type QueueHandle = { readonly queue: unique symbol };
/** An event in a native queue. */
export type EventHandle = { readonly event: unique symbol };
/** A reference to memory. Ends with `endMemory`, or when the handle is collected. */
export type MemoryHandle = { readonly memory: unique symbol };
/** A kernel that is built, or being built. */
export type KernelHandle = { readonly kernel: unique symbol };
/** A buffer over memory. */
export type MappedBufferHandle = { readonly mapped: unique symbol };

/**
 * What the addon of a backend with a device does. `copy`, `copyRun`, `launch` and `endExternalWork`
 * return a promise if another process has yet to be told of the enqueued work. It settles once that
 * has happened or the work has ended. `Device` is what the addon calls a device by, `NativeMemory`
 * what it returns for a reference to memory.
 */
export interface DeviceAddon<Device = unknown, NativeMemory = unknown> extends NativeAddon {
  /** Settles once all kernels requested so far are built. */
  whenKernelsReady(): Promise<void>;
  /**
   * Stops building kernels, and blocks until the current build has ended. Must be called before the
   * process exits.
   */
  endBuilding(): void;
  /** Returns cached memory to the driver. Settles once that is done. */
  releaseCached(): Promise<void>;
  /** How many times memory has been freed. */
  returned(): number;
  /**
   * Settles once memory has been freed after `returned` was read, or once no memory of the device
   * is being freed.
   */
  memoryReturned(device: Device, returned: number): Promise<void>;

  /**
   * Consumes a capsule and returns its contents, as `contents` converts them. Null if the object is
   * not a capsule.
   */
  importCapsule(capsule: object, contents: typeof capsuleContents): CapsuleContents | null;
  /** Makes a queue wait for the event of an imported capsule. */
  enqueueWaitForProducer(queue: QueueHandle, imported: object): void;
  /**
   * Returns another reference to the same memory. Its work is ordered after that of the same
   * producer: as that of `memory` is, or as `sync` says.
   */
  lend(memory: MemoryHandle, sync?: Sync): NativeMemory;
  /**
   * Orders work on the memory with its producer's work on a queue, or with none if `queue` is null.
   * `producer` is what the memory was borrowed from, see `nativeOwner`.
   */
  follow(memory: MemoryHandle, queue: QueueHandle | null, sync: Sync, producer: unknown): void;
  /**
   * Makes a capsule of an array. `queue` is the one that `exportOn` got. Null if the capsule carries
   * no ordering. `isReady`: all work has ended.
   */
  exportCapsule(
    memory: MemoryHandle,
    queue: QueueHandle | null,
    isReady: boolean,
    ...fields: CapsuleFields
  ): ArrayCapsule;
  /** Releases a reference to memory. */
  endMemory(memory: MemoryHandle): void;

  /** Enqueues a plan, ordered with all other work on both memories, which the queue can access. */
  copy(
    queue: QueueHandle,
    plan: EncodedPlan,
    target: MemoryHandle,
    origin: MemoryHandle,
  ): void | Promise<void>;
  /** Enqueues the copy of one contiguous run of bytes, without a plan. */
  copyRun(
    queue: QueueHandle,
    destination: bigint,
    source: bigint,
    byteLength: number,
    target: MemoryHandle,
    origin: MemoryHandle,
  ): void | Promise<void>;
  /**
   * Starts to build a kernel on another thread. Reads the code before it returns. `types`: core's
   * codes, a uint32 each.
   */
  loadKernel(device: Device, code: Uint8Array, name: string, types: Uint8Array): KernelHandle;
  /** Settles once the kernel is built. Rejects with ERR_KERNEL. */
  kernelLoaded(kernel: KernelHandle): Promise<void>;
  /**
   * Launches a built kernel, ordered with all other work on the memories. `shape`: 32-bit
   * numbers, in the backend's own form.
   */
  launch(
    queue: QueueHandle,
    kernel: KernelHandle,
    shape: Uint8Array,
    values: Uint8Array,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void | Promise<void>;
  /**
   * Makes the queue wait for all earlier work on the memories, before other code enqueues work on
   * it.
   */
  beginExternalWork(
    queue: QueueHandle,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void;
  /** Records that other code enqueued work on the memories on the queue. */
  endExternalWork(
    queue: QueueHandle,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void | Promise<void>;
  /**
   * Makes the queue wait for all work on the memory, and this library's later work wait for what is
   * then enqueued on the queue.
   */
  exportOn(memory: MemoryHandle, queue: QueueHandle): void;
  /** Settles once this library's and other processes' work on the memory has ended. */
  waitMemory(memory: MemoryHandle): Promise<void>;
  /**
   * Settles once all work on the memory has ended, including the producer's and consumers'. Uses
   * the queue to wait.
   */
  settle(memory: MemoryHandle, queue: QueueHandle): Promise<void>;
  /**
   * Copies JavaScript memory into memory for staging, synchronously. The plan counts from each
   * side's first byte.
   */
  read(memory: MemoryHandle, plan: EncodedPlan, bytes: Uint8Array): void;
  /**
   * Copies memory for staging into JavaScript memory, synchronously. The plan counts from each
   * side's first byte.
   */
  write(memory: MemoryHandle, plan: EncodedPlan, bytes: Uint8Array): void;
  /**
   * Does the same with any memory that the backend allocated and this process can access, and
   * returns true, if this is the only reference to it and all work on it is known to have ended.
   * Returns false otherwise. Never waits.
   */
  peek(memory: MemoryHandle, plan: EncodedPlan, bytes: Uint8Array): boolean;
  /**
   * Creates an ArrayBuffer over memory that this process can access, at its address for this
   * process. Null if this Node cannot create such a buffer.
   */
  mapBuffer(
    memory: MemoryHandle,
    pointer: bigint,
    byteLength: number,
  ): { readonly buffer: ArrayBuffer; readonly mapped: MappedBufferHandle } | null;
  /**
   * Detaches a buffer made by `mapBuffer`. The memory and the producer that it keeps alive stay
   * until the buffer object is collected, because the thread pool may still have its address.
   */
  unmapBuffer(mapped: MappedBufferHandle, buffer: ArrayBuffer, producer: unknown): void;

  /** Releases a queue, whose native queue ends once its work has ended. */
  endQueue(queue: QueueHandle): void;
  /** Whether all work on the queue has ended. */
  queryQueue(queue: QueueHandle): boolean;
  /**
   * Records an event after all work on the queue so far. `timing`: whether it needs a time, which
   * only CUDA's events can do without.
   */
  record(queue: QueueHandle, timing?: boolean): EventHandle;
  /** Makes the queue wait for an event. */
  enqueueWait(queue: QueueHandle, event: EventHandle): void;
  /** Whether an event is complete. */
  queryEvent(event: EventHandle): boolean;
  /** Settles once an event is complete. */
  waitEvent(event: EventHandle): Promise<void>;
  /** Blocks until an event is complete. */
  waitEventSync(event: EventHandle): void;
  /** Settles once all work that this library enqueued has ended. */
  waitAll(): Promise<void>;
}
