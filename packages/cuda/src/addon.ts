import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type DeviceAddon,
  type EventHandle,
  type KernelHandle,
  type LazyAddon,
  lazyAddon,
  type MemoryHandle,
  type QueueHandle,
  type TicketFile,
  type TicketTable,
} from '@array-interface/core/backend';

/** Handles of native objects, besides those of every device. Type tags distinguish them. */
export type PoolHandle = { readonly pool: unique symbol };
export type LeaseHandle = { readonly lease: unique symbol };
export type LeaseLockHandle = { readonly leaseLock: unique symbol };

/** Kinds of memory that the driver allocates. */
export type CudaMemoryKind = 'device' | 'shared' | 'host';

export interface NativeQueue {
  readonly handle: QueueHandle;
  /** The driver's handle: 1n, 2n, or an address. */
  readonly pointer: bigint;
  readonly device: number;
  /**
   * Whether it belongs to the device's primary context, as all memory that this backend works on
   * does.
   */
  readonly isPrimary: boolean;
  /** Whether it lives as long as the handle: a stream this library created, or a default stream. */
  readonly isKept: boolean;
}

/** A reference to memory. Ends with `endMemory`, or when the handle is collected. */
export interface NativeMemory {
  readonly handle: MemoryHandle;
}

/** A reference to a block that this library allocated or registered. */
export interface NativeBlock extends NativeMemory {
  /** Address of the first byte for kernels. */
  readonly pointer: bigint;
  /** Address of the first byte for this process. 0n if this process cannot access the block. */
  readonly hostPointer: bigint;
  readonly byteLength: number;
}

/** What a ticket needs. Handles for other processes are hexadecimal digits. */
interface NativeShare {
  readonly memory: string;
  readonly ready: string;
  readonly back: string;
  readonly lease: LeaseHandle;
  readonly path: string;
}

interface NativeLeaseLock extends TicketFile {
  /** What the sharer wrote. Empty unless the state is `open`. */
  readonly text: string;
  readonly leaseLock: LeaseLockHandle;
}

/** What `cuPointerGetAttributes` returns for an address that it knows, and whose memory it is. */
export interface KnownPointer {
  readonly memoryKind: CudaMemoryKind;
  readonly device: number;
  /**
   * Whether it is memory of the context that was queried. True for everything but device memory.
   */
  readonly isReached: boolean;
  /**
   * Address for kernels of the current context. 0n if they cannot access it, or no context was
   * current.
   */
  readonly devicePointer: bigint;
  /** Address for this process. 0n if it cannot access the memory. */
  readonly hostPointer: bigint;
  readonly rangeStart: bigint;
  /** In bytes. 0n if the driver does not report it. */
  readonly rangeSize: bigint;
  /** Whether it belongs to a pool. Drivers before 11.3 cannot tell; false then. */
  readonly isPool: boolean;
  readonly isIpcCapable: boolean;
  readonly bufferId: bigint;
  /** 0n for memory without a context, such as that of pools. */
  readonly context: bigint;
  /** Whether it is in a live block of this library, and in one that this library registered. */
  readonly isOurs: boolean;
  readonly isRegistered: boolean;
  /** Whether it is in a block of this library whose owner has ended. */
  readonly isGivenUp: boolean;
}

/** How many driver objects this process has, in all its threads. */
interface LiveCounts {
  /** Allocations in use, or being freed. */
  readonly allocations: number;
  /** The subset of `allocations` that the driver is freeing now, which may wait for a device. */
  readonly releasing: number;
  /** Allocations cached for the next arrays. */
  readonly cached: number;
  readonly streams: number;
  /** Events in use. */
  readonly events: number;
  /** Events kept for reuse. */
  readonly freeEvents: number;
  /** Modules of user code. */
  readonly modules: number;
}

/**
 * The functions of `cuda.node`. All but `initialize`, `load` and `liveCounts` need a loaded driver.
 */
export interface Addon
  extends DeviceAddon<number, NativeBlock | NativeMemory>,
    TicketTable<MemoryHandle, NativeBlock> {
  /**
   * Loads the driver. Returns the process's driver, or what was tried. Once a driver is loaded,
   * every call returns it.
   */
  load(
    ...candidates: readonly string[]
  ):
    | { readonly path: string; readonly version: number; readonly deviceCount: number }
    | readonly { readonly path: string; readonly error: string }[];
  devices(): readonly { readonly name: string; readonly memory: number; readonly uuid: string }[];
  /** Whether this process may access managed memory while the device works. */
  sharesManaged(device: number): boolean;
  liveCounts(): LiveCounts;

  /**
   * Blocks for memory that is being freed for at most `timeout` milliseconds. `staging` is pinned
   * memory, rounded up to a common size.
   */
  allocate(
    device: number,
    memoryKind: CudaMemoryKind | 'staging',
    byteLength: number,
    timeout: number,
  ): NativeBlock;
  /**
   * Registers JavaScript memory that does not move. The block keeps it alive until the driver has
   * unregistered it.
   */
  register(device: number, bytes: Uint8Array): NativeBlock;
  /**
   * Registers an address range of this process without checking it. Calls `letGo` once the driver
   * has unregistered it.
   */
  registerRange(
    device: number,
    pointer: bigint,
    byteLength: number,
    letGo: () => void,
  ): NativeBlock;
  /**
   * Returns this library's block that contains an address as kernels use it, or a reference to
   * another library's memory.
   */
  borrow(
    device: number,
    pointer: bigint,
    producer: unknown,
    hasContext: boolean,
  ): NativeBlock | NativeMemory;

  hasPools(device: number): boolean;
  /** Sizes are in bytes. A maximum of 0 means no limit. */
  createPool(device: number, releaseThreshold: number, maximum: number): PoolHandle;
  defaultPool(device: number): PoolHandle;
  allocateFrom(
    pool: PoolHandle,
    stream: QueueHandle,
    byteLength: number,
    timeout: number,
  ): NativeBlock;
  destroyPool(pool: PoolHandle): void;
  trimPool(pool: PoolHandle, kept: number): void;
  poolBytes(pool: PoolHandle): { readonly used: number; readonly reserved: number };

  /** `stream` must be a stream of this library on the memory's device. */
  share(memory: MemoryHandle, stream: QueueHandle): NativeShare;
  writeLease(lease: LeaseHandle, text: string): void;
  openLease(path: string, user: number): NativeLeaseLock;
  leaveLease(leaseLock: LeaseLockHandle): void;
  /**
   * `stream` must be a stream of this library on the memory's device. The lock of the lease ends
   * with the memory.
   */
  openMemory(
    stream: QueueHandle,
    memory: string,
    byteLength: number,
    ready: string,
    back: string,
    leaseLock: LeaseLockHandle,
  ): NativeBlock;
  /**
   * For a built kernel: the maximum items of a group, in total and along x, y and z, and the
   * maximum bytes of dynamic shared memory.
   */
  kernelLimits(
    kernel: KernelHandle,
  ): readonly [items: number, x: number, y: number, z: number, shared: number];
  /** Calls `work` with the stream's context current, and returns its result. */
  within<T>(stream: QueueHandle, work: () => T): T;
  /** Whether kernels on the stream can access device memory. Enables peer access if possible. */
  reaches(stream: QueueHandle, memory: MemoryHandle): boolean;
  /**
   * Null if the driver does not know the address. Queries in the device's primary context, or in
   * the current one if no device is given.
   */
  queryPointer(pointer: bigint, device?: number): KnownPointer | null;
  /** Queries in the primary context of the device that holds the memory. */
  queryPointerInItsContext(pointer: bigint): KnownPointer | null;

  createQueue(device: number, nonBlocking: boolean, priority: number): NativeQueue;
  /** Returns the stream of a handle. If the stream is this library's, the result keeps it alive. */
  adoptQueue(pointer: bigint, device: number): NativeQueue;
  isNonBlocking(stream: QueueHandle): boolean;
  priorityOf(stream: QueueHandle): number;
  isCapturing(stream: QueueHandle): boolean;
  /** Throws ERR_CAPTURE if the stream is being captured. */
  assertRuns(stream: QueueHandle): void;
  /** In milliseconds. Both events must have been recorded with timing. */
  elapsed(start: EventHandle, end: EventHandle): number;
}

/** Path of this file; in a bundle, of the bundle. Bundlers for CommonJS leave import.meta empty. */
export const modulePath: string = import.meta.filename ?? __filename;

const native: LazyAddon<Addon> = lazyAddon('the CUDA addon', {
  name: 'cuda',
  built: join(dirname(modulePath), '../build/Release/'),
  targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
  require: createRequire(modulePath),
});

/** Returns the addon, or why there is none. Looks for it once. Loads no driver. Never throws. */
export const findAddon: typeof native.find = native.find;

/** Returns the addon, loading it at first use. Loads no driver. Throws ERR_BACKEND_UNAVAILABLE. */
export const addon: typeof native.get = native.get;
