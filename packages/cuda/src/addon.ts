import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type ArrayCapsule,
  backendUnavailable,
  type CapsuleContents,
  type CapsuleFields,
  type CopyPlan,
  type capsuleContents,
  type LoadedAddon,
  loadAddon,
  type NativeAddon,
  type Sync,
  type TicketFile,
  type TicketTable,
} from '@array-interface/core/backend';

/** Native objects in JavaScript's hands. Type tags tell them apart. */
export type StreamHandle = { readonly stream: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type MemoryHandle = { readonly memory: unique symbol };
type ExposedHandle = { readonly exposed: unique symbol };
export type PoolHandle = { readonly pool: unique symbol };
export type LeaseHandle = { readonly lease: unique symbol };
export type KernelHandle = { readonly kernel: unique symbol };
export type PeerLockHandle = { readonly tenancy: unique symbol };

/** Kinds of memory that the driver allocates. */
export type CudaMemoryKind = 'device' | 'shared' | 'host';

export interface NativeStream {
  readonly handle: StreamHandle;
  /** The driver's handle: 1n, 2n, or an address. */
  readonly pointer: bigint;
  readonly device: number;
  /** Whether it is of the device's primary context, as all memory is that we work on. */
  readonly isPrimary: boolean;
  /** Whether it lives as long as the handle: a stream of ours, or a default stream. */
  readonly isKept: boolean;
}

/** A hold on memory. It ends when it is told to, or when the handle is collected. */
export interface NativeMemory {
  readonly handle: MemoryHandle;
}

/** A hold on a block of ours. */
export interface NativeBlock extends NativeMemory {
  /** The first byte as kernels use it. */
  readonly pointer: bigint;
  /** The first byte as this process uses it; 0n: it does not reach the block. */
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

interface NativeTenancy extends TicketFile {
  /** What the sharer wrote; empty unless the lease is held, which is `open`. */
  readonly text: string;
  readonly tenancy: PeerLockHandle;
}

/** What `cuPointerGetAttributes` answers about an address that it knows, and whose memory it is. */
export interface KnownPointer {
  readonly memoryKind: CudaMemoryKind;
  readonly device: number;
  /** Whether it is memory of the context that was asked. True for all but device memory. */
  readonly isReached: boolean;
  /**
   * The address that kernels of the current context use; 0n: they reach none, or no context was
   * current.
   */
  readonly devicePointer: bigint;
  /** The address that this process uses; 0n: it reaches none. */
  readonly hostPointer: bigint;
  readonly rangeStart: bigint;
  /** In bytes; 0n where the driver does not tell. */
  readonly rangeSize: bigint;
  /** Whether a pool has it. Drivers before 11.3 do not tell, and say false. */
  readonly isPool: boolean;
  readonly isIpcCapable: boolean;
  readonly bufferId: bigint;
  /** 0n for memory without a context, as that of pools. */
  readonly context: bigint;
  /** Whether it is in a live block of ours, and in one that we registered. */
  readonly isOurs: boolean;
  readonly isRegistered: boolean;
  /** Whether it is in a block of ours whose owner has ended. */
  readonly isGivenUp: boolean;
}

/** How many objects of the driver this process has, in all its threads. */
interface LiveCounts {
  /** Allocations in use, or on their way back. */
  readonly allocations: number;
  /** Those of them that the driver is asked to take back, which may wait for a device. */
  readonly releasing: number;
  /** Allocations kept for the next arrays. */
  readonly kept: number;
  readonly streams: number;
  /** Events in use. */
  readonly events: number;
  /** Events kept to be used again. */
  readonly freeEvents: number;
  /** Modules of programs' own code. */
  readonly modules: number;
}

/** The functions of `cuda.node`. All but `initialize`, `load` and `liveCounts` need a loaded driver. */
export interface Addon extends NativeAddon, TicketTable<MemoryHandle, NativeBlock> {
  /**
   * The driver of this process, or what was tried. Once a driver is loaded, it is the answer to
   * every call.
   */
  load(
    ...candidates: readonly string[]
  ):
    | { readonly path: string; readonly version: number; readonly deviceCount: number }
    | readonly { readonly path: string; readonly error: string }[];
  devices(): readonly { readonly name: string; readonly memory: number; readonly uuid: string }[];
  /** Whether this process may use managed memory while the device works. */
  sharesManaged(device: number): boolean;
  liveCounts(): LiveCounts;
  /** Settles when all kernels are built that were asked for up to now. */
  whenKernelsReady(): Promise<void>;
  /**
   * Stops building kernels, and waits for the build under way. To be called before the process
   * exits.
   */
  endBuilding(): void;
  /** Gives the driver the memory that is kept. Settles when that is done. */
  releaseKept(): Promise<void>;

  /**
   * Waits at most `timeout` milliseconds for memory on its way back. `staging` is pinned memory of
   * a size that many share.
   */
  allocate(
    device: number,
    memoryKind: CudaMemoryKind | 'staging',
    byteLength: number,
    timeout: number,
  ): NativeBlock;
  /** How often memory has come back. */
  returned(): number;
  /** Settles when memory comes back once more, or none of the device is on its way. */
  memoryReturned(device: number, returned: number): Promise<void>;
  /**
   * Registers JavaScript memory that does not move. The block keeps it until the driver has
   * forgotten it.
   */
  register(device: number, bytes: Uint8Array): NativeBlock;
  /**
   * Registers a range of this process's addresses, which it does not check; calls `letGo` in the
   * end.
   */
  registerRange(
    device: number,
    pointer: bigint,
    byteLength: number,
    letGo: () => void,
  ): NativeBlock;
  /** The block of ours around an address as kernels use it, or another library's memory. */
  borrow(
    pointer: bigint,
    device: number,
    hasContext: boolean,
    producer: unknown,
  ): NativeBlock | NativeMemory;
  /** One more hold on the same memory. */
  lend(memory: MemoryHandle): NativeBlock | NativeMemory;
  /** Orders all work on the memory with its producer's work on a stream. */
  follow(memory: MemoryHandle, stream: StreamHandle, sync: Sync, producer: unknown): void;
  /**
   * A capsule of an array. The stream is what `exportOn` got; null: nobody is ordered. `isReady`:
   * all work has ended.
   */
  giveCapsule(
    memory: MemoryHandle,
    fields: CapsuleFields,
    stream: StreamHandle | null,
    isReady: boolean,
  ): ArrayCapsule;
  /** Takes what is in a capsule, as `capsuleContents` says it. Null: it is none. */
  takeCapsule(capsule: object, contents: typeof capsuleContents): CapsuleContents | null;
  /** Makes a stream wait for the event of an array that was taken. */
  waitForEvent(stream: StreamHandle, taken: object): void;
  endMemory(memory: MemoryHandle): void;

  hasPools(device: number): boolean;
  /** Sizes are in bytes; a maximum of 0 means none. */
  createPool(device: number, releaseThreshold: number, maximum: number): PoolHandle;
  defaultPool(device: number): PoolHandle;
  allocateFrom(
    pool: PoolHandle,
    stream: StreamHandle,
    byteLength: number,
    timeout: number,
  ): NativeBlock;
  destroyPool(pool: PoolHandle): void;
  trimPool(pool: PoolHandle, kept: number): void;
  poolBytes(pool: PoolHandle): { readonly used: number; readonly reserved: number };

  /** `stream` is a stream of ours on the memory's device. */
  share(memory: MemoryHandle, stream: StreamHandle): NativeShare;
  writeLease(lease: LeaseHandle, text: string): void;
  openLease(path: string, user: number): NativeTenancy;
  leaveLease(tenancy: PeerLockHandle): void;
  /** `stream` is a stream of ours on the memory's device. The tenancy ends with the memory. */
  openMemory(
    stream: StreamHandle,
    memory: string,
    byteLength: number,
    ready: string,
    back: string,
    tenancy: PeerLockHandle,
  ): NativeBlock;

  /**
   * Enqueues a plan in the order of all other work on both memories, which the stream reaches. A promise
   * where other processes have still to be told of it, since another one holds a lock: it settles once
   * they know of it or it has ended. So do `copyRun`, `launch` and `endExternalWork`.
   */
  copy(
    stream: StreamHandle,
    plan: CopyPlan,
    target: MemoryHandle,
    origin: MemoryHandle,
  ): void | Promise<void>;
  /** Enqueues one run of bytes, without a plan to be read. */
  copyRun(
    stream: StreamHandle,
    destination: bigint,
    source: bigint,
    byteLength: number,
    target: MemoryHandle,
    origin: MemoryHandle,
  ): void | Promise<void>;
  /** Begins to build a kernel on another thread. The image is read before this returns. */
  loadKernel(device: number, image: Uint8Array, name: string, types: Uint8Array): KernelHandle;
  /** Settles when it is built. Rejects with ERR_KERNEL. */
  kernelLoaded(kernel: KernelHandle): Promise<void>;
  /** Of a built kernel: the most items of a group, along x, y and z, and bytes of dynamic shared memory. */
  kernelLimits(
    kernel: KernelHandle,
  ): readonly [items: number, x: number, y: number, z: number, shared: number];
  /**
   * Launches a built kernel in the order of all other work on the memories. `shape`: groups and the
   * items of a group along x, y and z, and the bytes of dynamic shared memory.
   */
  launch(
    stream: StreamHandle,
    kernel: KernelHandle,
    shape: Uint8Array,
    values: Uint8Array,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void | Promise<void>;
  /** Makes the stream wait for all work that comes before work which others will give it. */
  beginExternalWork(
    stream: StreamHandle,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void;
  /** Notes that others gave the stream work on the memories. */
  endExternalWork(
    stream: StreamHandle,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void | Promise<void>;
  /** Calls `work` with the stream's context current, and gives what it gives. */
  within<T>(stream: StreamHandle, work: () => T): T;
  /**
   * Whether kernels on the stream reach device memory. Enables peer access where that is possible.
   */
  reaches(stream: StreamHandle, memory: MemoryHandle): boolean;
  /**
   * Makes the stream wait for all work on the memory, and our later work wait for what the stream
   * gets.
   */
  exportOn(memory: MemoryHandle, stream: StreamHandle): void;
  /** Waits for our work on the memory, and for that of other processes. */
  waitMemory(memory: MemoryHandle): Promise<void>;
  /** Waits for everybody's work on the memory, through the stream. */
  settleMemory(memory: MemoryHandle, stream: StreamHandle): Promise<void>;
  /**
   * Copies JavaScript memory into pinned memory at once. The plan counts from each side's first
   * byte.
   */
  pack(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  /**
   * Copies pinned memory into JavaScript memory at once. The plan counts from each side's first
   * byte.
   */
  unpack(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  /**
   * A buffer over memory that this process reaches, at its address for this process. Null: Node
   * makes no such buffer.
   */
  expose(
    memory: MemoryHandle,
    pointer: bigint,
    byteLength: number,
  ): { readonly buffer: ArrayBuffer; readonly exposed: ExposedHandle } | null;
  /**
   * Detaches a buffer of `expose`. What it keeps, and a producer, stay until the object was collected:
   * the thread pool may have its address.
   */
  unmapBuffer(exposed: ExposedHandle, buffer: ArrayBuffer, producer: unknown): void;
  /**
   * Null: the driver does not know it. Asks in the device's primary context, or in the current one.
   */
  inspect(pointer: bigint, device?: number): KnownPointer | null;
  /** Asks in the primary context of the device that the memory lies on. */
  inspectAtHome(pointer: bigint): KnownPointer | null;

  createStream(device: number, nonBlocking: boolean, priority: number): NativeStream;
  /** The stream behind a handle. A handle of ours keeps its stream. */
  nameStream(pointer: bigint, device: number): NativeStream;
  endStream(stream: StreamHandle): void;
  queryStream(stream: StreamHandle): boolean;
  isNonBlocking(stream: StreamHandle): boolean;
  priorityOf(stream: StreamHandle): number;
  isCapturing(stream: StreamHandle): boolean;
  /** Throws ERR_CAPTURE where the stream is being captured. */
  assertRuns(stream: StreamHandle): void;
  record(stream: StreamHandle, timing?: boolean): EventHandle;
  wait(stream: StreamHandle, event: EventHandle): void;
  queryEvent(event: EventHandle): boolean;
  waitEvent(event: EventHandle): Promise<void>;
  synchronizeEvent(event: EventHandle): void;
  /** In milliseconds. Both events were recorded with timing. */
  elapsed(start: EventHandle, end: EventHandle): number;
  /** Settles when all work has ended that this environment gave to streams. */
  waitAll(): Promise<void>;
}

/** This program's file; in a bundle, the bundle's. Bundlers for CommonJS leave import.meta empty. */
export const modulePath: string = import.meta.filename ?? __filename;

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once; loads no driver. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'cuda',
    built: join(dirname(modulePath), '../build/Release/'),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
    require: createRequire(modulePath),
  });
  return found;
}

/** The addon, loaded at first use; loads no driver. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the CUDA addon', answer);
}
