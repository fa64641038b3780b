import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CopyPlan, loadAddon, type NativeAddon } from '@array-interface/core/backend';

/** Native objects in JavaScript's hands; each is told apart by a type tag. */
export type StreamHandle = { readonly stream: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type AllocationHandle = { readonly allocation: unique symbol };

/** Kinds of memory that the driver allocates. */
export type CudaMemoryKind = 'device' | 'shared' | 'host';

export interface NativeStream {
  readonly handle: StreamHandle;
  /** The driver's handle: 1n, 2n, or an address. */
  readonly pointer: bigint;
  readonly device: number;
  readonly nonBlocking: boolean;
  readonly priority: number;
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
}

/** The functions of `cuda.node`. All but `initialize`, `load` and `liveCounts` need a loaded driver. */
export interface Addon extends NativeAddon {
  /** The driver of this process, or what was tried. A driver once loaded is answered ever after. */
  load(
    ...candidates: readonly string[]
  ):
    | { readonly path: string; readonly version: number; readonly deviceCount: number }
    | readonly { readonly path: string; readonly error: string }[];
  devices(): readonly { readonly name: string; readonly memory: number }[];
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
  ): { readonly handle: AllocationHandle; readonly pointer: bigint };
  /** In the background, once the events are reached. */
  free(memory: AllocationHandle, ...pending: readonly EventHandle[]): void;
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
  record(stream: StreamHandle): EventHandle;
  wait(stream: StreamHandle, event: EventHandle): void;
  /** Whether kernels on the stream reach a device's memory; enables peer access. */
  reach(stream: StreamHandle, device: number): boolean;
  queryEvent(event: EventHandle): boolean;
  waitEvent(event: EventHandle): Promise<void>;
  synchronizeEvent(event: EventHandle): void;
  copyRun(stream: StreamHandle, destination: bigint, source: bigint, byteLength: number): void;
  copyStrided(stream: StreamHandle, plan: CopyPlan): void;
}

const built = fileURLToPath(new URL('../build/Release/', import.meta.url));
const require = createRequire(import.meta.url);
let loaded: Addon | null = null;

/** Where the addon is looked for: `ARRAY_INTERFACE_ADDON_DIR` names a folder of other builds. */
export function addonPath(): string {
  return join(process.env.ARRAY_INTERFACE_ADDON_DIR || built, 'cuda.node');
}

/** The addon, loaded at first use; loads no driver. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  loaded ??= loadAddon<Addon>('CUDA', addonPath(), require);
  return loaded;
}
