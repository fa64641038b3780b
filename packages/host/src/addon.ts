import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type {
  Allocation,
  ArrayCapsule,
  ArrowLevel,
  CapsuleContents,
  CapsuleFields,
  capsuleContents,
} from '@array-interface/core/backend';
import {
  type EncodedPlan,
  type LazyAddon,
  lazyAddon,
  type NativeAddon,
  type TicketFile,
  type TicketTable,
} from '@array-interface/core/backend';
import type { NativeExplanation } from './copy-explanation.js';

/**
 * A lease on one of the addon's allocations. The garbage collector releases it if nothing else
 * does.
 */
export type LeaseHandle = { readonly lease: unique symbol };

/** What a mapped buffer keeps alive. */
type MappedBufferHandle = { readonly mapped: unique symbol };

/** A kernel that runs on its own threads. */
type RunHandle = { readonly run: unique symbol };

/** A program that was checked. */
export type ProgramHandle = { readonly program: unique symbol };

/** What the operating system reports about a range of addresses. */
export interface PageAccess {
  /** True if the first byte belongs to a mapping, readable or not. */
  readonly mapped: boolean;
  /** Readable bytes, from the first one on. */
  readonly readable: number;
  /** True if every readable byte is writable too. */
  readonly writable: boolean;
}

/** Memory in a file that processes share. */
interface SharedAllocation extends Allocation {
  readonly handle: LeaseHandle;
}

/** The result of opening a file that another process named. */
export type OpenedFile =
  | (TicketFile & { readonly state: Exclude<TicketFile['state'], 'open'> })
  | (TicketFile & SharedAllocation & { readonly state: 'open'; readonly header: string });

/** A ticket's memory, for this thread. */
export interface OpenedLease {
  readonly handle: LeaseHandle;
}

/** The functions of `host.node`. */
interface Addon extends NativeAddon, TicketTable<LeaseHandle, OpenedLease> {
  /** Allocates uninitialised memory. Throws ERR_OUT_OF_MEMORY. */
  allocate(byteLength: number): { readonly handle: LeaseHandle; readonly pointer: bigint };
  /**
   * Allocates memory in a file of this process. The file begins with `header`, at most 4096 bytes.
   * Throws ERR_OUT_OF_MEMORY.
   */
  allocateShareable(
    byteLength: number,
    header: string,
  ): SharedAllocation & { readonly path: string };
  /**
   * Opens the memory in a file of another process of `user`. Its size cannot change. Throws
   * ERR_OUT_OF_MEMORY.
   */
  openShared(path: string, headerLength: number, user: number): OpenedFile;
  /** Ends a lease. The last lease to end frees the memory. */
  release(handle: LeaseHandle): void;
  /** Counts the process's allocations that are not freed. */
  liveAllocations(): number;
  /** The allocation that contains an address, or null. */
  find(pointer: bigint): Allocation | null;
  /** True if this lease is the only one on memory of this package, in any thread. */
  isSole(handle: LeaseHandle): boolean;
  /** True if an address belongs to this package's allocator, but to no live allocation. */
  isGone(pointer: bigint): boolean;
  /** Takes another lease on the allocation that contains an address. Null if there is none. */
  hold(pointer: bigint): LeaseHandle | null;
  /** Takes another lease on the same memory. Throws ERR_DISPOSED if the lease has ended. */
  share(handle: LeaseHandle): LeaseHandle;
  /** Makes a capsule that keeps the lease's memory, or the producer if `lease` is null. */
  exportCapsule(
    lease: LeaseHandle | null,
    producer: unknown,
    ...fields: CapsuleFields
  ): ArrayCapsule;
  /**
   * Consumes a capsule and returns what `contents` reads from it. Its handle is a lease. Null if
   * the object is no capsule.
   */
  importCapsule(capsule: object, contents: typeof capsuleContents): CapsuleContents | null;
  /**
   * Moves the two structs of an Arrow column out of their places, and returns a lease that keeps
   * them. Null if one of them was released before. Does not check the addresses.
   */
  importColumn(schema: bigint, array: bigint): LeaseHandle | null;
  /**
   * Writes the structs of an Arrow column, which keep the leases' memory until they are released,
   * and the producers as long as this environment lives. `bits`: the mask's address, or its bytes,
   * which are copied. Does not check the addresses.
   */
  exportColumn(
    levels: readonly ArrowLevel[],
    bits: bigint | Uint8Array,
    leases: readonly LeaseHandle[],
    producers: readonly unknown[],
    schema: bigint,
    array: bigint,
  ): void;
  /** The access that a whole range allows. 0: unknown; 1: read; 3: read and write. */
  allows(pointer: bigint, byteLength: number): 0 | 1 | 3;
  /**
   * The access that a range allows, and how far it can be read. Null if the operating system does
   * not report it.
   */
  access(pointer: bigint, byteLength: number): PageAccess | null;
  /** The address of a Uint8Array over a whole buffer; 0 if it has no bytes. */
  addressOf(bytes: Uint8Array): bigint;
  /**
   * Runs a plan synchronously, on at most `threads` threads (1 to 1024). Does not check the
   * addresses.
   */
  copy(plan: EncodedPlan, threads: number): void;
  /**
   * Describes what `copy` would do with a plan of at least one element. Touches neither address.
   */
  explain(plan: EncodedPlan, threads: number): NativeExplanation;
  /**
   * Returns a buffer over memory of this process, which keeps the lease's allocation. Does not
   * check the address. Null if this Node cannot make such a buffer. `isForKernels`: nothing but
   * JavaScript uses the buffer.
   */
  mapBuffer(
    pointer: bigint,
    byteLength: number,
    handle: LeaseHandle | null,
    isForKernels: boolean,
  ): { readonly buffer: ArrayBuffer; readonly mapped: MappedBufferHandle } | null;
  /**
   * Detaches a mapped buffer. What the buffer keeps, and a producer, stay alive until the garbage
   * collector has collected it, since Node's thread pool may hold its address. A buffer for kernels
   * releases them at once.
   */
  unmapBuffer(mapped: MappedBufferHandle, buffer: ArrayBuffer, producer: unknown): void;
  /**
   * Calls a C function with parts of a range, on up to `threads` threads. `items` holds uint32s.
   * `types` holds core's codes of the values, which have 8 bytes each. Checks none of them, and no
   * address.
   */
  launch(
    address: bigint,
    items: Uint8Array,
    threads: number,
    types: Uint8Array,
    values: Uint8Array,
  ): { readonly run: RunHandle; readonly ended: Promise<void> };
  /**
   * Checks a program. `types` holds core's codes of the values, and `arrays` three numbers for each
   * array: the place of its address among the values, the bytes of an element, and 1 if the kernel
   * writes it; both as uint32s. Throws ERR_KERNEL.
   */
  readProgram(program: Uint8Array, types: Uint8Array, arrays: Uint8Array): ProgramHandle;
  /**
   * Computes `count` elements synchronously, on at most `threads` threads. `extents` holds two
   * float64s for each array: where its bytes begin and end, from its address on. Throws ERR_KERNEL
   * if the program would reach others. Does not check the addresses.
   */
  runProgram(
    program: ProgramHandle,
    values: Uint8Array,
    extents: Uint8Array,
    count: number,
    threads: number,
  ): void;
  /** Blocks until a kernel has ended. */
  join(run: RunHandle): void;
  /** Copies one run of bytes synchronously. Does not check the addresses. */
  copyBytes(destination: bigint, source: bigint, byteLength: number): void;
}

/** Path of this file; in a bundle, of the bundle. Bundlers for CommonJS leave import.meta empty. */
export const modulePath: string = import.meta.filename ?? __filename;

const native: LazyAddon<Addon> = lazyAddon('the host addon', {
  name: 'host',
  built: join(dirname(modulePath), '../build/Release/'),
  targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
  require: createRequire(modulePath),
});

/** Returns the addon, or why there is none. Looks for it once. Never throws. */
export const findAddon: typeof native.find = native.find;

/** Returns the addon, loading it at first use. Throws ERR_BACKEND_UNAVAILABLE. */
export const addon: typeof native.get = native.get;
