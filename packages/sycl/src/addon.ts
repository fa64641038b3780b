import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Allocation,
  type CopyPlan,
  type Device,
  loadAddon,
  type NativeAddon,
} from '@array-interface/core/backend';

/** Native objects in JavaScript's hands; each is told apart by a type tag. */
export type PlaceHandle = { readonly place: unique symbol };
export type QueueHandle = { readonly queue: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type HoldHandle = { readonly hold: unique symbol };

/** The runtime's numbers for kinds of memory. */
export type UsmType = 0 | 1 | 2 | 3;

/** A block of ours and one interest in it. */
export interface Held extends Allocation {
  readonly hold: HoldHandle;
}

/** A device in a context. */
export interface NativePlace {
  readonly place: PlaceHandle;
  /** One number for one place in the process. */
  readonly id: number;
  readonly device: number;
  readonly selector: string;
}

export interface NativeQueue {
  readonly queue: QueueHandle;
  readonly place: NativePlace;
  readonly inOrder: boolean;
}

/** A device as its runtime lists it. */
export interface NativeDevice extends Device {
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
  find(pointer: bigint): { readonly type: UsmType; readonly place: NativePlace | null };
  typeIn(place: PlaceHandle, pointer: bigint): UsmType;
  sameContext(place: PlaceHandle, other: PlaceHandle): boolean;
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
  /** The flags: a side is memory of the system, believed to be there; the device must reach it. */
  enqueue(queue: QueueHandle, plan: CopyPlan, intoSystem?: boolean, outOfSystem?: boolean): void;
  eventQuery(event: EventHandle): boolean;
  eventStatus(event: EventHandle): 0 | 1 | 2 | 3;
  eventTimes(event: EventHandle): [submitted: bigint, started: bigint, ended: bigint];
  eventWait(event: EventHandle): Promise<void>;
  eventWaitSync(event: EventHandle): void;
  synchronize(): Promise<void>;
  allocate(place: PlaceHandle, type: UsmType, alignment: number, byteLength: number): Held;
  borrow(pointer: bigint): Held | null;
  rangeOf(pointer: bigint): Allocation | null;
  endHold(hold: HoldHandle, events: readonly EventHandle[]): void;
  read(hold: HoldHandle, plan: CopyPlan, bytes: Uint8Array): void;
  write(hold: HoldHandle, plan: CopyPlan, bytes: Uint8Array): void;
  expose(pointer: bigint, byteLength: number, hold: HoldHandle | null): ArrayBuffer | null;
  /** What the process has made and not given back. */
  liveCounts(): {
    readonly allocations: number;
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
