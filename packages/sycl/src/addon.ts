import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Allocation, DeviceInfo } from '@array-interface/core/backend';
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
  type TicketTable,
} from '@array-interface/core/backend';

/** Native objects in JavaScript's hands. Type tags tell them apart. */
export type ContextDeviceHandle = { readonly contextDevice: unique symbol };
export type QueueHandle = { readonly queue: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type KernelHandle = { readonly kernel: unique symbol };
export type MemoryHandle = { readonly memory: unique symbol };
type ExposedHandle = { readonly exposed: unique symbol };

/** The runtime's numbers for kinds of memory. */
export type UsmType = 0 | 1 | 2 | 3;

/** A device in a context. */
export interface NativeContextDevice {
  readonly contextDevice: ContextDeviceHandle;
  /** A number that no other place in the process has. */
  readonly id: number;
  /** A number that no other native context has. */
  readonly contextId: number;
  readonly device: number;
  readonly selector: string;
}

/** A hold on a piece of memory, and what is known of the memory. */
export interface NativeMemory {
  readonly memory: MemoryHandle;
  /** 0 for memory that no SYCL runtime allocated. */
  readonly type: UsmType;
  readonly contextDevice: NativeContextDevice;
  /** Where our memory begins and ends. Null for another library's. */
  readonly range: Allocation | null;
}

export interface NativeQueue {
  readonly queue: QueueHandle;
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
export interface Addon extends NativeAddon, TicketTable<MemoryHandle, NativeMemory> {
  listen(listener: (code: number) => void): void;
  open(
    library: string,
    openClDriver: string,
    /** Where compiled kernels are kept; `''`: nowhere. */
    folder?: string,
    /** Bytes that they take together at most. */
    most?: number,
  ): { readonly library: string; readonly version: string };
  /** For tests: whether kernels are kept, how many modules were compiled meanwhile, how many found. */
  builds(): { readonly areKept: boolean; readonly compiled: number; readonly found: number };
  endPreparing(): void;
  whenKernelsReady(): Promise<void>;
  devices(): NativeDevice[];
  select(selector: string): number | null;
  contextDevice(device: number): NativeContextDevice;
  divide(device: number, computeUnits: number): NativeContextDevice[];
  find(pointer: bigint): {
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
  endQueue(queue: QueueHandle): void;
  queueReference(queue: QueueHandle): bigint;
  sameQueue(one: QueueHandle, other: QueueHandle): boolean;
  record(queue: QueueHandle): EventHandle;
  queueQuery(queue: QueueHandle): boolean;
  queueWait(queue: QueueHandle, event: EventHandle): void;
  /** Enqueues a plan in the order of all other work on both memories. */
  copy(queue: QueueHandle, plan: CopyPlan, target: MemoryHandle, origin: MemoryHandle): void;
  /** Enqueues one run of bytes, without a plan to be read. */
  copyRun(
    queue: QueueHandle,
    destination: bigint,
    source: bigint,
    byteLength: number,
    target: MemoryHandle,
    origin: MemoryHandle,
  ): void;
  /** Begins to build a kernel on another thread. The module is read before this returns. */
  loadKernel(
    contextDevice: ContextDeviceHandle,
    spirv: Uint8Array,
    name: string,
    types: Uint8Array,
  ): KernelHandle;
  /** Settles when it is built. Rejects with ERR_KERNEL. */
  kernelLoaded(kernel: KernelHandle): Promise<void>;
  /** Of a built kernel: the most items of a group, and bytes of its local memory. */
  kernelLimits(kernel: KernelHandle): readonly [items: number, localBytes: number];
  /**
   * Launches a built kernel in the order of all other work on the memories. `shape`: 32-bit numbers,
   * the items and then those of a group along each axis.
   */
  launch(
    queue: QueueHandle,
    kernel: KernelHandle,
    shape: Uint8Array,
    values: Uint8Array,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void;
  /** Makes the queue wait for all work that comes before work which others will give it. */
  beginExternalWork(
    queue: QueueHandle,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void;
  /** Notes that others gave the queue work on the memories. */
  endExternalWork(
    queue: QueueHandle,
    written: readonly MemoryHandle[],
    read: readonly MemoryHandle[],
  ): void;
  eventQuery(event: EventHandle): boolean;
  eventStatus(event: EventHandle): 0 | 1 | 2 | 3;
  eventTimes(event: EventHandle): [submitted: bigint, started: bigint, ended: bigint];
  eventWait(event: EventHandle): Promise<void>;
  eventWaitSync(event: EventHandle): void;
  synchronize(): Promise<void>;
  /** Waits at most `timeout` milliseconds for memory on its way back. */
  allocate(
    contextDevice: ContextDeviceHandle,
    type: UsmType,
    alignment: number,
    byteLength: number,
    timeout: number,
  ): NativeMemory;
  /** How often memory has come back. */
  returned(): number;
  /** Settles when memory comes back once more, or none of the place is on its way. */
  memoryReturned(contextDevice: ContextDeviceHandle, returned: number): Promise<void>;
  /**
   * A loan of our memory around an address, or another library's memory, whose producer stays while
   * work is pending.
   */
  borrow(
    contextDevice: ContextDeviceHandle,
    pointer: bigint,
    producer: unknown,
    queue: QueueHandle | null,
    sync: Sync,
  ): NativeMemory | null;
  /** A loan of a known memory, in the same order. */
  lend(lender: MemoryHandle, producer: object): NativeMemory;
  import(contextDevice: ContextDeviceHandle, owner: object): NativeMemory;
  endMemory(memory: MemoryHandle): void;
  exportOn(memory: MemoryHandle, queue: QueueHandle): void;
  /** A capsule of an array. The queue is what `exportOn` got. */
  giveCapsule(memory: MemoryHandle, fields: CapsuleFields, queue: QueueHandle): ArrayCapsule;
  /** Takes what is in a capsule, as `capsuleContents` says it. Null: it is none. */
  takeCapsule(capsule: object, contents: typeof capsuleContents): CapsuleContents | null;
  /** Makes a queue wait for the event of an array that was taken. */
  waitForEvent(queue: QueueHandle, taken: object): void;
  settleOn(memory: MemoryHandle, queue: QueueHandle): Promise<void>;
  synchronizeMemory(memory: MemoryHandle): Promise<void>;
  read(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  write(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  /** A buffer over host or shared memory. Null: Node makes no such buffer. */
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
  /** Gives the runtime the memory that is kept for the next allocations. */
  releaseCached(): Promise<void>;
  /** What the process has made and not given back. */
  liveCounts(): {
    /** Held by JavaScript or by pending work. */
    readonly allocations: number;
    /** Kept for the next allocations. */
    readonly kept: number;
    readonly queues: number;
    /** Of ours, whose work has ended, for the next ones. */
    readonly keptQueues: number;
    readonly events: number;
    /** Of programs' own code. */
    readonly modules: number;
  };
}

/** This program's file; in a bundle, the bundle's. Bundlers for CommonJS leave import.meta empty. */
export const modulePath: string = import.meta.filename ?? __filename;

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'sycl',
    built: join(dirname(modulePath), '../build/Release/'),
    targets: ['linux-x64-gnu'],
    require: createRequire(modulePath),
  });
  return found;
}

/** The addon, loaded at first use. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the SYCL addon', answer);
}
