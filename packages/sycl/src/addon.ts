import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Allocation, DeviceInfo } from '@array-interface/core/backend';
import {
  type DeviceAddon,
  type EventHandle,
  type KernelHandle,
  type LazyAddon,
  lazyAddon,
  type MemoryHandle,
  type QueueHandle,
  type TicketTable,
} from '@array-interface/core/backend';

/** A device in a context, in the addon. */
export type ContextDeviceHandle = { readonly contextDevice: unique symbol };

/** The runtime's numbers for kinds of USM memory. */
export type UsmType = 0 | 1 | 2 | 3;

/** A device in a context. */
export interface NativeContextDevice {
  readonly handle: ContextDeviceHandle;
  /** Unique among devices in contexts in this process. */
  readonly id: number;
  /** Unique among native contexts in this process. */
  readonly contextId: number;
  readonly device: number;
  readonly selector: string;
}

/** A reference to a piece of memory, and what is known about the memory. */
export interface NativeMemory {
  readonly handle: MemoryHandle;
  /** 0 for memory that no SYCL runtime allocated. */
  readonly type: UsmType;
  readonly contextDevice: NativeContextDevice;
  /** The range of an allocation that this addon made. Null for another library's memory. */
  readonly range: Allocation | null;
}

export interface NativeQueue {
  readonly handle: QueueHandle;
  readonly contextDevice: NativeContextDevice;
  readonly inOrder: boolean;
}

/** A device as its runtime lists it. */
export interface NativeDevice extends DeviceInfo {
  readonly selector: string;
  readonly backend: string;
  readonly computeUnits: number;
  readonly aspects: readonly string[];
}

/** The functions of `sycl.node`. All but `initialize` and `open` need an opened runtime. */
export interface Addon
  extends DeviceAddon<ContextDeviceHandle, NativeMemory>,
    TicketTable<MemoryHandle, NativeMemory> {
  listen(listener: (code: number) => void): void;
  open(
    library: string,
    openClDriver: string,
    /** The folder of the kernel cache; `''` for no cache. */
    folder?: string,
    /** The most bytes that all cached kernels take together. */
    most?: number,
  ): { readonly library: string; readonly version: string };
  /**
   * For tests: whether kernels are cached, how many modules were compiled with the cache, and how
   * many were found in it.
   */
  builds(): { readonly areKept: boolean; readonly compiled: number; readonly found: number };
  devices(): NativeDevice[];
  select(selector: string): number | null;
  contextDevice(device: number): NativeContextDevice;
  divide(device: number, computeUnits: number): NativeContextDevice[];
  queryPointer(pointer: bigint): {
    readonly type: UsmType;
    readonly contextDevice: NativeContextDevice | null;
    readonly range: Allocation | null;
  };
  typeIn(contextDevice: ContextDeviceHandle, pointer: bigint): UsmType;
  rangeOf(pointer: bigint): Allocation | null;
  contextReference(contextDevice: ContextDeviceHandle): bigint;
  createQueue(
    contextDevice: ContextDeviceHandle,
    inOrder: boolean,
    profiling: boolean,
  ): NativeQueue;
  adoptQueue(reference: bigint): NativeQueue | null;
  adoptContext(reference: bigint, pointer: bigint): NativeQueue | null;
  queueReference(queue: QueueHandle): bigint;
  sameQueue(one: QueueHandle, other: QueueHandle): boolean;
  /** The most items of a group and the most bytes of local memory. The kernel must be built. */
  kernelLimits(kernel: KernelHandle): readonly [items: number, localBytes: number];
  eventStatus(event: EventHandle): 0 | 1 | 2 | 3;
  eventTimes(event: EventHandle): [submitted: bigint, started: bigint, ended: bigint];
  /** Blocks for at most `timeout` milliseconds while memory is being freed. */
  allocate(
    contextDevice: ContextDeviceHandle,
    type: UsmType,
    byteLength: number,
    timeout: number,
    alignment: number,
  ): NativeMemory;
  /**
   * Another reference to memory of this addon around an address, or a reference to another
   * library's memory. Keeps the producer while work is pending.
   */
  borrow(
    contextDevice: ContextDeviceHandle,
    pointer: bigint,
    producer: unknown,
  ): NativeMemory | null;
  import(contextDevice: ContextDeviceHandle, owner: object): NativeMemory;
  /** What this process created and has not released. */
  liveCounts(): {
    /** Used by JavaScript or by pending work. */
    readonly allocations: number;
    /** Cached for later allocations. */
    readonly cached: number;
    readonly queues: number;
    /** This addon's own idle queues, kept for reuse. */
    readonly cachedQueues: number;
    readonly events: number;
    /** Modules of user kernels. */
    readonly modules: number;
  };
}

/**
 * The file of this module or, in a bundle, of the bundle. CommonJS bundlers leave `import.meta`
 * empty.
 */
export const modulePath: string = import.meta.filename ?? __filename;

const native: LazyAddon<Addon> = lazyAddon('the SYCL addon', {
  name: 'sycl',
  built: join(dirname(modulePath), '../build/Release/'),
  targets: ['linux-x64-gnu'],
  require: createRequire(modulePath),
});

/** Returns the addon, or why there is none. Looks for it once. Never throws. */
export const findAddon: typeof native.find = native.find;

/** Returns the addon, loading it at first use. Throws ERR_BACKEND_UNAVAILABLE. */
export const addon: typeof native.get = native.get;
