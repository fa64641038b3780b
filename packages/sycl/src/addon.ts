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
export type QueueHandle = { readonly queue: unique symbol };
export type EventHandle = { readonly event: unique symbol };
export type HoldHandle = { readonly hold: unique symbol };

/** The runtime's numbers for kinds of memory. */
export type UsmType = 0 | 1 | 2 | 3;

/** A block of ours and one interest in it. */
export interface Held extends Allocation {
  readonly hold: HoldHandle;
}

interface NativeDevice extends Device {
  readonly selector: string;
}

/** The functions of `sycl.node`. All but `initialize` and `open` need an opened runtime. */
export interface Addon extends NativeAddon {
  open(
    library: string,
    openClDriver: string,
  ): { readonly library: string; readonly version: string };
  devices(): NativeDevice[];
  select(selector: string): number | null;
  find(pointer: bigint): { readonly type: UsmType; readonly device: number | null };
  typeOn(device: number, pointer: bigint): UsmType;
  createQueue(device: number, inOrder: boolean): QueueHandle;
  findQueue(reference: bigint): { readonly handle: QueueHandle; readonly device: number } | null;
  endQueue(queue: QueueHandle): void;
  queueReference(queue: QueueHandle): bigint;
  sameQueue(one: QueueHandle, other: QueueHandle): boolean;
  record(queue: QueueHandle): EventHandle;
  queueQuery(queue: QueueHandle): boolean;
  queueWait(queue: QueueHandle, event: EventHandle): void;
  enqueue(queue: QueueHandle, plan: CopyPlan): void;
  eventQuery(event: EventHandle): boolean;
  eventWait(event: EventHandle): Promise<void>;
  eventWaitSync(event: EventHandle): void;
  synchronize(): Promise<void>;
  allocate(device: number, type: UsmType, byteLength: number): Held;
  borrow(pointer: bigint): Held | null;
  rangeOf(pointer: bigint): Allocation | null;
  endHold(hold: HoldHandle, events: readonly EventHandle[]): void;
  read(hold: HoldHandle, plan: CopyPlan, bytes: Uint8Array): void;
  write(hold: HoldHandle, plan: CopyPlan, bytes: Uint8Array): void;
  liveAllocations(): number;
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
