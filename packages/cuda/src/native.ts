import type { CopyPlan, NativeAddon } from '@array-interface/core/backend';

/** Native objects in JavaScript's hands; each is told apart by a type tag. */
export type StreamHandle = { readonly stream: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type AllocationHandle = { readonly allocation: unique symbol };
export type RegistrationHandle = { readonly registration: unique symbol };
export type PoolHandle = { readonly pool: unique symbol };
type LeaseHandle = { readonly lease: unique symbol };
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
}

/** Memory that the addon gives back when it is told to, or when nobody holds the handle. */
export interface NativeMemory {
  readonly handle: AllocationHandle;
  readonly pointer: bigint;
}

/** Memory of this process that the driver was told of. */
interface NativeRegistered extends NativeMemory {
  readonly registration: RegistrationHandle;
  /** The first byte as this process reaches it; `pointer` is as kernels do. */
  readonly hostPointer: bigint;
}

/** What a ticket needs; handles of other processes are hexadecimal digits. */
export interface NativeShare {
  readonly memory: string;
  readonly ready: string;
  readonly back: string;
  readonly readyEvent: EventHandle;
  readonly backEvent: EventHandle;
  readonly lease: LeaseHandle;
  readonly path: string;
}

interface NativeTenancy {
  readonly state: 'held' | 'ended' | 'foreign';
  /** What the sharer wrote; empty unless held. */
  readonly text: string;
  readonly tenancy: TenancyHandle;
}

/** What `cuPointerGetAttributes` answers about an address that it knows. */
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
  readonly isManaged: boolean;
  /** From a pool; false, too, on drivers before 11.3, which do not tell. */
  readonly isPool: boolean;
  readonly isIpcCapable: boolean;
  readonly bufferId: bigint;
  /** 0n: none, as for memory of pools. */
  readonly context: bigint;
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
  /** Objects of the driver that this process has not given back, worker threads included. */
  liveCounts(): {
    readonly allocations: number;
    readonly streams: number;
    readonly events: number;
  };
  /** `staging` is pinned memory that is kept, once free, for the next one. */
  allocate(
    device: number,
    memoryKind: CudaMemoryKind | 'staging',
    byteLength: number,
  ): NativeMemory;
  /** JavaScript memory that neither moves nor goes until `isRegistered` says no. */
  register(device: number, bytes: Uint8Array): NativeRegistered;
  /** The same of a range of this process's addresses, which is believed. */
  registerRange(device: number, pointer: bigint, byteLength: number): NativeRegistered;
  isRegistered(registration: RegistrationHandle): boolean;
  /** In the background, once the events are reached. */
  free(memory: AllocationHandle, ...pending: readonly EventHandle[]): void;
  /** Memory of a pool, in the stream's order, after the events. */
  freeOn(memory: AllocationHandle, stream: StreamHandle, ...pending: readonly EventHandle[]): void;
  hasPools(device: number): boolean;
  /** Bytes; a maximum of 0 is none. */
  createPool(device: number, releaseThreshold: number, maximum: number): PoolHandle;
  defaultPool(device: number): PoolHandle;
  allocateFrom(pool: PoolHandle, stream: StreamHandle, byteLength: number): NativeMemory;
  /** Whether work on the device reaches the pool's memory; lets it where it can. */
  reachPool(pool: PoolHandle, device: number): boolean;
  destroyPool(pool: PoolHandle): void;
  trimPool(pool: PoolHandle, kept: number): void;
  poolBytes(pool: PoolHandle): { readonly used: number; readonly reserved: number };
  /** `stream` is of the memory's device, and all work on the memory is waited for on it. */
  share(memory: AllocationHandle, stream: StreamHandle): NativeShare;
  writeLease(lease: LeaseHandle, text: string): void;
  openLease(path: string): NativeTenancy;
  leaveLease(tenancy: TenancyHandle): void;
  openMemory(
    device: number,
    memory: string,
    byteLength: number,
    tenancy: TenancyHandle,
  ): NativeMemory;
  openEvent(device: number, event: string): EventHandle;
  /** The event of all openers is after all that it stood for and all that the stream was given. */
  takeTurn(tenancy: TenancyHandle, event: EventHandle, stream: StreamHandle): void;
  /** JavaScript memory into pinned memory, now; the plan counts from each side's first byte. */
  pack(memory: AllocationHandle, plan: CopyPlan, bytes: Uint8Array): void;
  /** Pinned memory into JavaScript memory, now; the plan counts from each side's first byte. */
  unpack(memory: AllocationHandle, plan: CopyPlan, bytes: Uint8Array): void;
  /** Null: unknown to the driver. Asks in the device's primary context, or in the current one. */
  inspect(pointer: bigint, device?: number): KnownPointer | null;
  createStream(device: number, nonBlocking: boolean, priority: number): NativeStream;
  borrowStream(pointer: bigint, device: number): NativeStream;
  destroyStream(stream: StreamHandle): void;
  queryStream(stream: StreamHandle): boolean;
  isCapturing(stream: StreamHandle): boolean;
  record(stream: StreamHandle, timing?: boolean): EventHandle;
  wait(stream: StreamHandle, event: EventHandle): void;
  /** Whether kernels on the stream reach a device's memory; enables peer access. */
  reach(stream: StreamHandle, device: number): boolean;
  queryEvent(event: EventHandle): boolean;
  waitEvent(event: EventHandle): Promise<void>;
  synchronizeEvent(event: EventHandle): void;
  /** Milliseconds; both events were recorded for timing. */
  elapsed(start: EventHandle, end: EventHandle): number;
  moveEvent(event: EventHandle, stream: StreamHandle): void;
  copyRun(stream: StreamHandle, destination: bigint, source: bigint, byteLength: number): void;
  copyStrided(stream: StreamHandle, plan: CopyPlan): void;
}
