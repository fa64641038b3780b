import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type {
  Allocation,
  ArrayCapsule,
  CapsuleContents,
  CapsuleFields,
  capsuleContents,
} from '@array-interface/core/backend';
import {
  backendUnavailable,
  type CopyPlan,
  type LoadedAddon,
  loadAddon,
  type NativeAddon,
  type TicketFile,
  type TicketTable,
} from '@array-interface/core/backend';
import { modulePath } from '../module-path.js';
import type { NativeExplanation } from './copy-explanation.js';

/** A lease on an allocation of the addon; collected by the garbage collector if never released. */
export type LeaseHandle = { readonly lease: unique symbol };

/** What a buffer of `expose` keeps. */
type ExposedHandle = { readonly exposed: unique symbol };

/** A kernel that runs on threads of its own. */
type RunHandle = { readonly run: unique symbol };

/** What the operating system says about a range of addresses. */
export interface Access {
  /** Whether the first byte belongs to a mapping, readable or not. */
  readonly mapped: boolean;
  /** Bytes that can be read, from the first one on. */
  readonly readable: number;
  /** Whether every readable byte can be written too. */
  readonly writable: boolean;
}

/** Memory in a file that processes share. */
interface SharedAllocation extends Allocation {
  readonly handle: LeaseHandle;
}

/** What became of a file that another process named. */
export type OpenedFile =
  | (TicketFile & { readonly state: Exclude<TicketFile['state'], 'open'> })
  | (TicketFile & SharedAllocation & { readonly state: 'open'; readonly header: string });

/** The memory of a ticket, for this thread. */
export interface OpenedLease {
  readonly handle: LeaseHandle;
}

/** The functions of `host.node`. */
export interface Addon extends NativeAddon, TicketTable<LeaseHandle, OpenedLease> {
  /** Throws ERR_OUT_OF_MEMORY. */
  allocate(byteLength: number): { readonly handle: LeaseHandle; readonly pointer: bigint };
  /**
   * Memory in a file of this process that begins with `header`, at most 4096 bytes. Throws
   * ERR_OUT_OF_MEMORY.
   */
  allocateShareable(
    byteLength: number,
    header: string,
  ): SharedAllocation & { readonly path: string };
  /** The memory in a file of another process of the user, which keeps its size. Throws ERR_OUT_OF_MEMORY. */
  openShared(path: string, headerLength: number, user: number): OpenedFile;
  /** Ends a lease; the last one frees the memory. */
  release(handle: LeaseHandle): void;
  /** Allocations of the process that are not freed. */
  liveAllocations(): number;
  /** The allocation around an address, or null. */
  find(pointer: bigint): Allocation | null;
  /** Whether an address is one of this package's own where no allocation lives any more. */
  isGone(pointer: bigint): boolean;
  /** One more lease on the allocation around an address, or null. */
  hold(pointer: bigint): LeaseHandle | null;
  /** One more lease on the same memory. Throws ERR_DISPOSED for a lease that has ended. */
  share(handle: LeaseHandle): LeaseHandle;
  /** A capsule that keeps the memory of the lease, or else the producer. */
  giveCapsule(fields: CapsuleFields, lease: LeaseHandle | null, producer: unknown): ArrayCapsule;
  /** Takes what is in a capsule, as `capsuleContents` says it; its handle is a lease. Null: it is none. */
  takeCapsule(capsule: object, contents: typeof capsuleContents): CapsuleContents | null;
  /** What all of a range allows. 0: nothing that is known; 1: reading; 3: writing, too. */
  allows(pointer: bigint, byteLength: number): 0 | 1 | 3;
  /** How far a range can be read. Null where the operating system does not tell. */
  access(pointer: bigint, byteLength: number): Access | null;
  /** The address of a Uint8Array over a whole buffer; 0 when it has no bytes. */
  addressOf(bytes: Uint8Array): bigint;
  /**
   * Runs a plan at once, on at most `threads` threads (1 to 1024). It does not check the addresses.
   */
  copy(plan: CopyPlan, threads: number): void;
  /** What `copy` would do with a plan of at least one element. It touches neither address. */
  explain(plan: CopyPlan, threads: number): NativeExplanation;
  /**
   * A buffer over memory of this process, which keeps the lease's allocation. It does not check the
   * address. Null: Node makes no such buffer. `isForCall`: nobody has it once it is concealed.
   */
  expose(
    pointer: bigint,
    byteLength: number,
    handle: LeaseHandle | null,
    isForCall: boolean,
  ): { readonly buffer: ArrayBuffer; readonly exposed: ExposedHandle } | null;
  /**
   * Detaches a buffer of `expose`. What it keeps, and a producer, stay until the object was collected,
   * unless it was for a call: the thread pool may have its address.
   */
  unmapBuffer(exposed: ExposedHandle, buffer: ArrayBuffer, producer: unknown): void;
  /**
   * Calls a C function with parts of a range, on as many threads. `items` are uint32s, `types` core's
   * codes of the values, which have 8 bytes each. It checks none of them, and no address.
   */
  launch(
    address: bigint,
    items: Uint8Array,
    threads: number,
    types: Uint8Array,
    values: Uint8Array,
  ): { readonly run: RunHandle; readonly ended: Promise<void> };
  /** Blocks until a kernel has ended. */
  join(run: RunHandle): void;
  /** Copies one run of bytes at once. It does not check the addresses. */
  copyBytes(destination: bigint, source: bigint, byteLength: number): void;
}

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'host',
    built: join(dirname(modulePath), '../build/Release/'),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
    require: createRequire(modulePath),
  });
  return found;
}

/** The addon, loaded at first use. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the host addon', answer);
}
