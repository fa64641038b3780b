import type { CopyPlan, NativeAddon, Sync } from '@array-interface/core/backend';

/** Native objects in JavaScript's hands; each is told apart by a type tag. */
export type StreamHandle = { readonly stream: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type MemoryHandle = { readonly memory: unique symbol };
export type PoolHandle = { readonly pool: unique symbol };
export type LeaseHandle = { readonly lease: unique symbol };
export type TenancyHandle = { readonly tenancy: unique symbol };

/** Kinds of memory that the driver allocates. */
export type CudaMemoryKind = 'device' | 'shared' | 'host';

export interface NativeStream {
  readonly handle: StreamHandle;
  /** The driver's handle: 1n, 2n, or an address. */
  readonly pointer: bigint;
  readonly device: number;
  readonly nonBlocking: boolean;
  readonly priority: number;
  /** Whether it is of the device's primary context, as the memory is that we work on. */
  readonly isPrimary: boolean;
  /** Whether it lives as long as the handle: ours, or a default stream. */
  readonly isKept: boolean;
}

/** A hold on memory, which ends when it is told to, or when nobody has the handle. */
export interface NativeMemory {
  readonly handle: MemoryHandle;
}

/** The same of a block of ours. */
export interface NativeBlock extends NativeMemory {
  /** The first byte as kernels use it. */
  readonly pointer: bigint;
  /** The first byte as this process uses it; 0n: it does not reach it. */
  readonly hostPointer: bigint;
  readonly byteLength: number;
}

/** What a ticket needs; handles of other processes are hexadecimal digits. */
interface NativeShare {
  readonly memory: string;
  readonly ready: string;
  readonly back: string;
  readonly lease: LeaseHandle;
  readonly path: string;
}

interface NativeTenancy {
  readonly state: 'held' | 'ended' | 'foreign';
  /** What the sharer wrote; empty unless held. */
  readonly text: string;
  readonly tenancy: TenancyHandle;
}

/** What `cuPointerGetAttributes` answers about an address that it knows, and whose it is. */
export interface KnownPointer {
  readonly memoryKind: CudaMemoryKind;
  readonly device: number;
  /** Whether it is memory of the context that was asked in; true for all but device memory. */
  readonly isReached: boolean;
  /** As kernels of the context that was current reach it; 0n: not at all, or no context. */
  readonly devicePointer: bigint;
  /** As this process reaches it; 0n: not at all. */
  readonly hostPointer: bigint;
  readonly rangeStart: bigint;
  /** Bytes; 0n where the driver does not tell. */
  readonly rangeSize: bigint;
  /** From a pool; false, too, on drivers before 11.3, which do not tell. */
  readonly isPool: boolean;
  readonly isIpcCapable: boolean;
  readonly bufferId: bigint;
  /** 0n: none, as for memory of pools. */
  readonly context: bigint;
  /** Whether it is in a live block of ours, and in one that we registered. */
  readonly isOurs: boolean;
  readonly isRegistered: boolean;
  /** Whether it is in a block of ours that its owner has ended. */
  readonly isGivenUp: boolean;
}

/** What this process has of the driver's, worker threads included. */
interface LiveCounts {
  /** Held, or on their way back. */
  readonly allocations: number;
  /** Kept for the next arrays. */
  readonly kept: number;
  readonly streams: number;
  /** In use. */
  readonly events: number;
  /** Of events, to be used again. */
  readonly freeEvents: number;
}

/** The functions of `cuda.node`. All but `initialize`, `load` and `liveCounts` need a loaded driver. */
export interface Addon extends NativeAddon {
  /** The driver of this process, or what was tried. A driver once loaded is answered ever after. */
  load(
    ...candidates: readonly string[]
  ):
    | { readonly path: string; readonly version: number; readonly deviceCount: number }
    | readonly { readonly path: string; readonly error: string }[];
  devices(): readonly { readonly name: string; readonly memory: number; readonly uuid: string }[];
  /** Whether this process may use managed memory while the device works. */
  sharesManaged(device: number): boolean;
  liveCounts(): LiveCounts;
  /** The kernels that were asked for up to now. */
  kernelsBuilt(): Promise<void>;
  /** Builds no more, and waits for the build under way; comes before the process exits. */
  endBuilding(): void;
  /** Gives the driver what is kept; settles when that is done. */
  releaseKept(): Promise<void>;

  /**
   * Waits at most `patience` milliseconds for memory that is on its way back. `staging` is pinned
   * memory of a size that many share.
   */
  allocate(
    device: number,
    memoryKind: CudaMemoryKind | 'staging',
    byteLength: number,
    patience: number,
  ): NativeBlock;
  /** How often memory came back so far. */
  returned(): number;
  /** Settles when it came back another time, or none of the device is on its way. */
  memoryReturned(device: number, returned: number): Promise<void>;
  /** JavaScript memory that does not move; it is kept until the driver has forgotten it. */
  register(device: number, bytes: Uint8Array): NativeBlock;
  /** The same of a range of this process's addresses, which is believed; then calls `letGo`. */
  registerRange(
    device: number,
    pointer: bigint,
    byteLength: number,
    letGo: () => void,
  ): NativeBlock;
  /** The block of ours around an address as kernels use it, or a stranger's memory. */
  borrow(
    pointer: bigint,
    device: number,
    hasContext: boolean,
    producer: unknown,
  ): NativeBlock | NativeMemory;
  /** The same memory once more. */
  lend(memory: MemoryHandle): NativeBlock | NativeMemory;
  /** Orders all work on it with what its producer has on a stream. */
  follow(memory: MemoryHandle, stream: StreamHandle, sync: Sync): void;
  endMemory(memory: MemoryHandle): void;

  hasPools(device: number): boolean;
  /** Bytes; a maximum of 0 is none. */
  createPool(device: number, releaseThreshold: number, maximum: number): PoolHandle;
  defaultPool(device: number): PoolHandle;
  allocateFrom(
    pool: PoolHandle,
    stream: StreamHandle,
    byteLength: number,
    patience: number,
  ): NativeBlock;
  destroyPool(pool: PoolHandle): void;
  trimPool(pool: PoolHandle, kept: number): void;
  poolBytes(pool: PoolHandle): { readonly used: number; readonly reserved: number };

  /** `stream` is one of ours of the memory's device. */
  share(memory: MemoryHandle, stream: StreamHandle): NativeShare;
  writeLease(lease: LeaseHandle, text: string): void;
  openLease(path: string): NativeTenancy;
  leaveLease(tenancy: TenancyHandle): void;
  /** `stream` is one of ours of the memory's device; the tenancy ends with the memory. */
  openMemory(
    stream: StreamHandle,
    memory: string,
    byteLength: number,
    ready: string,
    back: string,
    tenancy: TenancyHandle,
  ): NativeBlock;

  /** In the order of all other work on both memories, which the stream reaches. */
  copy(stream: StreamHandle, plan: CopyPlan, target: MemoryHandle, origin: MemoryHandle): void;
  /** The same of one run of bytes, without a plan to be read. */
  copyRun(
    stream: StreamHandle,
    destination: bigint,
    source: bigint,
    byteLength: number,
    target: MemoryHandle,
    origin: MemoryHandle,
  ): void;
  /** Whether kernels on the stream reach device memory; lets them where they can. */
  reaches(stream: StreamHandle, memory: MemoryHandle): boolean;
  /** The stream waits for all work on the memory, and our later work for what it is given. */
  exportOn(memory: MemoryHandle, stream: StreamHandle): void;
  recordUse(memory: MemoryHandle, stream: StreamHandle): void;
  /** Our work on it, and that of other processes. */
  waitMemory(memory: MemoryHandle): Promise<void>;
  /** Everybody's work on it, for which the stream waits. */
  settleMemory(memory: MemoryHandle, stream: StreamHandle): Promise<void>;
  /** JavaScript memory into pinned memory, now; the plan counts from each side's first byte. */
  pack(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  /** Pinned memory into JavaScript memory, now; the plan counts from each side's first byte. */
  unpack(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  /** Null: unknown to the driver. Asks in the device's primary context, or in the current one. */
  inspect(pointer: bigint, device?: number): KnownPointer | null;
  /** The same in the primary context of the device that it lies on. */
  inspectAtHome(pointer: bigint): KnownPointer | null;

  createStream(device: number, nonBlocking: boolean, priority: number): NativeStream;
  /** The stream behind a handle; one of ours is kept by it. */
  nameStream(pointer: bigint, device: number): NativeStream;
  endStream(stream: StreamHandle): void;
  queryStream(stream: StreamHandle): boolean;
  isCapturing(stream: StreamHandle): boolean;
  /** Throws ERR_CAPTURE where it is. */
  assertRuns(stream: StreamHandle): void;
  record(stream: StreamHandle, timing?: boolean): EventHandle;
  wait(stream: StreamHandle, event: EventHandle): void;
  queryEvent(event: EventHandle): boolean;
  waitEvent(event: EventHandle): Promise<void>;
  synchronizeEvent(event: EventHandle): void;
  /** Milliseconds; both events were recorded for timing. */
  elapsed(start: EventHandle, end: EventHandle): number;
  /** All work that this environment gave to streams. */
  waitAll(): Promise<void>;
}
