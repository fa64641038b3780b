import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Allocation, DeviceInfo } from '@array-interface/core/backend';
import {
  type CopyPlan,
  loadAddon,
  type NativeAddon,
  type Sync,
} from '@array-interface/core/backend';

/** Native objects in JavaScript's hands; each is told apart by a type tag. */
export type PlaceHandle = { readonly place: unique symbol };
export type QueueHandle = { readonly queue: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type MemoryHandle = { readonly memory: unique symbol };

/** The runtime's numbers for kinds of memory. */
export type UsmType = 0 | 1 | 2 | 3;

/** A device in a context. */
export interface NativePlace {
  readonly place: PlaceHandle;
  /** One number for one place in the process. */
  readonly id: number;
  /** One number for one native context. */
  readonly contextId: number;
  readonly device: number;
  readonly selector: string;
}

/** One interest in a piece of memory, and what is known of it. */
export interface NativeMemory {
  readonly memory: MemoryHandle;
  /** 0 for memory of the system. */
  readonly type: UsmType;
  readonly place: NativePlace;
  /** Where our memory begins and ends; null for another's. */
  readonly range: Allocation | null;
}

export interface NativeQueue {
  readonly queue: QueueHandle;
  readonly place: NativePlace;
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
export interface Addon extends NativeAddon {
  listen(listener: (code: number) => void): void;
  open(
    library: string,
    openClDriver: string,
  ): { readonly library: string; readonly version: string };
  endPreparing(): void;
  kernelsBuilt(): Promise<void>;
  devices(): NativeDevice[];
  select(selector: string): number | null;
  place(device: number): NativePlace;
  divide(device: number, computeUnits: number): NativePlace[];
  find(pointer: bigint): {
    readonly type: UsmType;
    readonly place: NativePlace | null;
    readonly range: Allocation | null;
  };
  typeIn(place: PlaceHandle, pointer: bigint): UsmType;
  rangeOf(pointer: bigint): Allocation | null;
  contextReference(place: PlaceHandle): bigint;
  createQueue(place: PlaceHandle, inOrder: boolean, profiling: boolean): NativeQueue;
  adoptQueue(reference: bigint): NativeQueue | null;
  adoptContext(reference: bigint, pointer: bigint): NativeQueue | null;
  endQueue(queue: QueueHandle): void;
  queueReference(queue: QueueHandle): bigint;
  sameQueue(one: QueueHandle, other: QueueHandle): boolean;
  record(queue: QueueHandle): EventHandle;
  queueQuery(queue: QueueHandle): boolean;
  queueWait(queue: QueueHandle, event: EventHandle): void;
  /** In the order of all other work on both memories. */
  copy(queue: QueueHandle, plan: CopyPlan, target: MemoryHandle, origin: MemoryHandle): void;
  /** The same of one run of bytes, without a plan to be read. */
  copyRun(
    queue: QueueHandle,
    destination: bigint,
    source: bigint,
    byteLength: number,
    target: MemoryHandle,
    origin: MemoryHandle,
  ): void;
  eventQuery(event: EventHandle): boolean;
  eventStatus(event: EventHandle): 0 | 1 | 2 | 3;
  eventTimes(event: EventHandle): [submitted: bigint, started: bigint, ended: bigint];
  eventWait(event: EventHandle): Promise<void>;
  eventWaitSync(event: EventHandle): void;
  synchronize(): Promise<void>;
  /** Waits at most `patience` milliseconds for memory on its way back. */
  allocate(
    place: PlaceHandle,
    type: UsmType,
    alignment: number,
    byteLength: number,
    patience: number,
  ): NativeMemory;
  /** How often memory came back so far. */
  returned(): number;
  /** Settles when it came back another time, or none of the place is on its way. */
  memoryReturned(place: PlaceHandle, returned: number): Promise<void>;
  /** A loan of our memory around an address, or another's whose producer is kept while work is pending. */
  borrow(
    place: PlaceHandle,
    pointer: bigint,
    producer: unknown,
    queue: QueueHandle | null,
    sync: Sync,
  ): NativeMemory | null;
  /** A loan of a memory that is known. */
  lend(
    lender: MemoryHandle,
    producer: unknown,
    queue: QueueHandle | null,
    sync: Sync,
  ): NativeMemory;
  import(place: PlaceHandle, owner: object): NativeMemory;
  endMemory(memory: MemoryHandle): void;
  exportOn(memory: MemoryHandle, queue: QueueHandle): void;
  settleOn(memory: MemoryHandle, queue: QueueHandle): Promise<void>;
  synchronizeMemory(memory: MemoryHandle): Promise<void>;
  read(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  write(memory: MemoryHandle, plan: CopyPlan, bytes: Uint8Array): void;
  expose(memory: MemoryHandle, pointer: bigint, byteLength: number): ArrayBuffer | null;
  /** Gives the runtime back what is kept for the next allocations. */
  releaseCached(): Promise<void>;
  /** What the process has made and not given back. */
  liveCounts(): {
    /** Held by JavaScript or by pending work. */
    readonly allocations: number;
    /** Kept for the next allocations. */
    readonly kept: number;
    readonly queues: number;
    readonly events: number;
  };
}

const built = fileURLToPath(new URL('../build/Release/', import.meta.url));
const require = createRequire(import.meta.url);
let loaded: Addon | null = null;

/** Where the addon is looked for: `ARRAY_INTERFACE_ADDON_DIR` names a folder of other builds. */
function addonPath(): string {
  return join(process.env['ARRAY_INTERFACE_ADDON_DIR'] || built, 'sycl.node');
}

/** The addon, loaded at first use. Throws ERR_BACKEND_UNAVAILABLE, and says what to do. */
export function addon(): Addon {
  loaded ??= loadAddon<Addon>('SYCL', addonPath(), require);
  return loaded;
}
