import { constants } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { type ArrayDescriptor, ArrayInterfaceError, type Backend } from '@array-interface/core';
import {
  type Allocation,
  type ArrayCapsule,
  type ArrowLevel,
  type ArrowStructs,
  type BackendQueue,
  type BufferMapping,
  capsuleFields,
  Memory,
  type OpenedTicket,
} from '@array-interface/core/backend';
import { addon, type LeaseHandle, type OpenedFile, type OpenedLease } from '../addon.js';
import { assertAtRest, ended, isIdle, pendingAt } from '../order/pending-work.js';
import { checkQueue } from '../order/queue.js';
import type { Access } from '../order/work.js';

/** DLPack's device for this process's own memory. */
const CPU = { type: 1, id: 0 };

/** The file behind memory that other processes may open. */
export interface SharedFile {
  /** The path, `/proc/PID/fd/N`. */
  readonly path: string;
  /** The first bytes of the file: a nonce, and a key for tickets. */
  readonly header: string;
}

/**
 * What backs a host memory: this package's allocator, a producer, or a JavaScript buffer. Each
 * memory has its own, and clears it at the end.
 */
export interface Backing {
  readonly pointer: bigint;
  /** The range that was proved to exist. Null if the caller trusts the producer. */
  readonly allocation: Allocation | null;
  /** True if the pages are writable, whatever the producer claims. */
  readonly writable: boolean;
  /**
   * Set for memory of this package's allocator, of capsules and of Arrow's columns. The memory stays
   * as long as the lease.
   */
  lease: LeaseHandle | null;
  /** Kept alive as long as the memory is used. */
  producer: unknown;
  /**
   * The JavaScript buffer, which may be detached or resized at any time: each use checks it again.
   */
  buffer: ArrayBufferLike | null;
  /** The file, if the memory was made to be shared; `opened` if the file is another process's. */
  readonly file?: SharedFile | 'opened';
}

/** What a thread needs about memory that another thread shares with it, as JSON encodes it. */
export interface HostFacts {
  readonly writable: boolean;
  readonly file: SharedFile | 'opened' | null;
}

/** Keeps the memory of a buffer that kernels got, and with it the producer. */
const memoryOfBuffer = new WeakMap<ArrayBuffer, HostMemory>();
/** No producer and no JavaScript buffer. */
const NONE = { producer: null, buffer: null };
/** Every address. */
const EVERYWHERE = { start: 0n, end: 1n << 64n };

/** Memory of this process. */
export class HostMemory extends Memory {
  readonly backend: Backend;
  readonly pointer: bigint;
  readonly memoryKind = 'pageable';
  /** Null for memory that JavaScript may take away while a device works on it. */
  readonly hostOffset: bigint | null;
  readonly #backing: Backing;
  /** What kernels in JavaScript get; see `kernelBuffer`. */
  #kernelMapping: BufferMapping | null = null;

  constructor(backend: Backend, backing: Backing, homeQueue: BackendQueue | null = null) {
    super(homeQueue);
    this.backend = backend;
    this.pointer = backing.pointer;
    this.hostOffset = backing.buffer instanceof ArrayBuffer ? null : 0n;
    this.#backing = backing;
  }

  /** Allocates memory with this package's allocator. Throws ERR_OUT_OF_MEMORY. */
  static allocate(
    backend: Backend,
    byteLength: number,
    homeQueue: BackendQueue | null,
  ): HostMemory {
    const { handle: lease, pointer } = addon().allocate(byteLength);
    const allocation = { pointer, byteLength };
    // Not `...NONE`: copying properties is 3 % of the instructions of a small array.
    const backing = { pointer, allocation, writable: true, lease, producer: null, buffer: null };
    return new HostMemory(backend, backing, homeQueue);
  }

  /** Allocates memory in a file, which other processes can open too. Throws ERR_OUT_OF_MEMORY. */
  static allocateShareable(
    backend: Backend,
    byteLength: number,
    homeQueue: BackendQueue | null,
  ): HostMemory {
    const header = randomBytes(48).toString('hex');
    const { handle: lease, pointer, path } = addon().allocateShareable(byteLength, header);
    const allocation = { pointer, byteLength };
    const backing = { pointer, allocation, writable: true, lease, ...NONE, file: { path, header } };
    return new HostMemory(backend, backing, homeQueue);
  }

  /** Wraps the memory in another process's file. */
  static ofFile(backend: Backend, opened: Extract<OpenedFile, { state: 'open' }>): HostMemory {
    const { handle: lease, pointer, byteLength } = opened;
    const allocation = { pointer, byteLength };
    const own = { pointer, allocation, writable: true, lease, file: 'opened' } as const;
    return new HostMemory(backend, { ...NONE, ...own });
  }

  /** Wraps memory that another thread shares. */
  static ofTicket(
    backend: Backend,
    { opened, pointer, allocation, facts }: OpenedTicket<OpenedLease, HostFacts>,
  ): HostMemory {
    const { writable, file } = facts;
    return new HostMemory(backend, {
      ...{ pointer, allocation, writable, lease: opened.handle, ...NONE },
      ...(file !== null && { file }),
    });
  }

  /**
   * Wraps an ArrayBuffer or SharedArrayBuffer in place. Throws ERR_DISPOSED for a detached buffer.
   */
  static ofBuffer(backend: Backend, buffer: ArrayBufferLike): HostMemory {
    const pointer = addressOf(buffer, 'data');
    const nothing = { allocation: null, lease: null, producer: null };
    return new HostMemory(backend, { ...nothing, pointer, buffer, writable: true });
  }

  /** The current range. A resizable buffer never moves, but its end may. */
  get allocation(): Allocation | null {
    const { buffer, allocation, pointer } = this.#backing;
    return buffer === null ? allocation : { pointer, byteLength: buffer.byteLength };
  }

  /** Null for memory that no other process can open. */
  get file(): SharedFile | 'opened' | null {
    return this.#backing.file ?? null;
  }

  get writable(): boolean {
    return this.#backing.writable;
  }

  /**
   * Lends the same memory to another owner, of any host backend. The memory stays until that owner
   * ends. `named`: what the new owner reports as its producer.
   */
  lend(backend: Backend, named: unknown = null): HostMemory {
    const { lease, producer: own } = this.#backing;
    const held = lease === null ? null : addon().share(lease);
    const producer = own === null || named === null ? (own ?? named) : [own, named];
    return new HostMemory(backend, { ...this.#backing, lease: held, producer });
  }

  /** The lease that keeps the memory, even after this thread ends. Null if nothing does. */
  get lease(): LeaseHandle | null {
    return this.#backing.lease;
  }

  /**
   * Whether nothing but this thread's work reaches it: an ArrayBuffer, or memory of this package
   * that no other owner, thread, addon or process was given. @internal
   */
  get isOfThisThread(): boolean {
    const { buffer, lease, producer } = this.#backing;
    if (buffer !== null) return buffer instanceof ArrayBuffer;
    const isAllocated = lease !== null && producer === null && this.file === null;
    return isAllocated && addon().isSole(lease);
  }

  /** What another thread needs in order to use it. */
  get facts(): HostFacts {
    const { writable, file } = this;
    return { writable, file };
  }

  /** The JavaScript buffer that it lies in; null once it was released. */
  override get buffer(): ArrayBufferLike | null {
    return this.#backing.buffer;
  }

  /**
   * Maps its bytes as a buffer, unless they lie in one already. Throws ERR_NOT_ACCESSIBLE for
   * read-only pages. `isForKernels`: nothing but JavaScript uses the buffer, so its bytes are
   * released as soon as the mapping ends.
   */
  mapBuffer(address: bigint, byteLength: number, isForKernels = false): BufferMapping | null {
    const { lease, producer, writable } = this.#backing;
    if (!writable) {
      throw new ArrayInterfaceError(
        'ERR_NOT_ACCESSIBLE',
        'array',
        'expected writable pages, got a mapping that is read-only, whatever its producer ' +
          'says; copy the elements with toTypedArray()',
      );
    }
    const made = addon().mapBuffer(address, byteLength, lease, isForKernels);
    if (made === null) return null;
    const { buffer, mapped } = made;
    return { buffer, end: () => addon().unmapBuffer(mapped, buffer, producer) };
  }

  /**
   * Returns the buffer over its whole range that all kernels in JavaScript share, since making and
   * detaching one takes longer than a small kernel. Detached when the memory is freed. Null if the
   * range was not proved, or if Node makes no buffer of that size. Throws ERR_NOT_ACCESSIBLE for
   * read-only pages. @internal
   */
  kernelBuffer(): ArrayBuffer | null {
    const known = this.#kernelMapping?.buffer;
    if (known !== undefined && known.byteLength > 0) return known; // a kernel may transfer it
    const { allocation } = this;
    if (allocation === null || allocation.byteLength > constants.MAX_LENGTH) return null;
    this.#kernelMapping = this.mapBuffer(allocation.pointer, allocation.byteLength, true);
    if (this.#kernelMapping === null) return null;
    const { buffer } = this.#kernelMapping;
    memoryOfBuffer.set(buffer, this);
    return buffer;
  }

  /** Throws ERR_NOT_ACCESSIBLE for read-only pages. @internal */
  assertWritable(path: string): void {
    if (this.writable) return;
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      'expected writable pages, got a mapping that is read-only, whatever its producer ' +
        'says; copy into a new array instead',
    );
  }

  /**
   * Throws ERR_NOT_ACCESSIBLE for memory that JavaScript may take away while threads use it.
   * @internal
   */
  assertKept(path: string): void {
    if (this.hostOffset !== null) return;
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      'expected memory that stays in place while threads work on it, got an ArrayBuffer, which ' +
        'JavaScript may transfer or resize; copy it with array(), or use a SharedArrayBuffer',
    );
  }

  /** An access to all of it; to every address if its range was not proved. @internal */
  access(writes: boolean): Access {
    const { allocation } = this;
    if (allocation === null) return { memory: this, ...EVERYWHERE, writes };
    const { pointer: start, byteLength } = allocation;
    return { memory: this, start, end: start + BigInt(byteLength), writes };
  }

  /**
   * Throws ERR_DISPOSED if its buffer was detached, and ERR_OUT_OF_BOUNDS if the buffer ends before
   * an address. @internal
   */
  assertReaches(end: bigint): void {
    const { buffer, pointer } = this.#backing;
    if (buffer === null) return;
    this.checkReachable('array');
    if (end <= pointer + BigInt(buffer.byteLength)) return;
    throw new ArrayInterfaceError(
      'ERR_OUT_OF_BOUNDS',
      'array',
      `expected a buffer of at least ${end - pointer} bytes, as when the work was requested, got one ` +
        `of ${buffer.byteLength}; resize it after the work has ended`,
    );
  }

  /** Settles once all of this thread's work on these addresses has ended. */
  protected async workEnded(): Promise<void> {
    if (!isIdle()) await ended(pendingAt(this.access(true)));
  }

  /**
   * Records nothing: work on host memory has ended when it returns, or `use` orders it. Checks the
   * queue.
   */
  recordUse(queue: BackendQueue): void {
    checkQueue(queue);
  }

  /** Throws ERR_NOT_ACCESSIBLE for memory that JavaScript may take away. */
  protected override makeCapsule(array: ArrayDescriptor): ArrayCapsule {
    const { buffer, lease, producer } = this.#backing;
    if (buffer !== null) throw ownedByJavaScript();
    assertAtRest(this, array);
    return addon().exportCapsule(lease, producer, ...capsuleFields(array, CPU));
  }

  /**
   * Writes the structs of an Arrow column, which keep this memory, and that of the mask's bits.
   * Throws ERR_NOT_ACCESSIBLE for memory that JavaScript may take away. @internal
   */
  exportColumn(
    array: ArrayDescriptor,
    levels: readonly ArrowLevel[],
    bits: HostMemory | null,
    structs: ArrowStructs<bigint>,
  ): void {
    const { mask } = array;
    const memories = bits === null ? [this] : [this, bits];
    if (memories.some(({ buffer }) => buffer !== null)) throw ownedByJavaScript();
    assertAtRest(this, array);
    if (bits !== null && mask !== null) assertAtRest(bits, mask);
    const leases = memories.map(({ lease }) => lease).filter((lease) => lease !== null);
    const producers = memories.map((memory) => memory.#backing.producer);
    addon().exportColumn(levels, bitsOf(mask), leases, producers, structs.schema, structs.array);
  }

  /** Throws ERR_DISPOSED for a detached buffer. */
  protected override checkReachable(path: string): void {
    const { buffer, pointer } = this.#backing;
    if (buffer === null) return;
    if (addressOf(buffer, path) !== pointer && buffer.byteLength > 0) throw detached(path);
  }

  protected free(): void {
    this.#kernelMapping?.end();
    this.#kernelMapping = null;
    const { lease } = this.#backing;
    if (lease !== null) addon().release(lease);
    this.#backing.lease = null;
    this.#backing.producer = null;
    this.#backing.buffer = null;
  }
}

/** The address of a mask's bits, or their bytes if they are in a JavaScript buffer. */
function bitsOf(mask: ArrayDescriptor | null): bigint | Uint8Array {
  if (mask === null) return 0n;
  const { buffer, pointer, nbytes } = mask;
  return buffer === null ? pointer : new Uint8Array(buffer, Number(pointer), nbytes).slice();
}

/** Throws ERR_DISPOSED, since the engine makes no views of a detached buffer. */
function addressOf(buffer: ArrayBufferLike, path: string): bigint {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(buffer);
  } catch {
    throw detached(path);
  }
  return addon().addressOf(bytes);
}

function ownedByJavaScript(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'array',
    'expected memory that stays in place while an addon uses it, got a JavaScript buffer, ' +
      'which ends with a transfer or with its thread; copy it with host.array()',
  );
}

function detached(path: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_DISPOSED',
    path,
    'expected an attached buffer, got one that was detached by a transfer; ' +
      'copy it before you transfer it',
  );
}
