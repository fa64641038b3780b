import { ArrayInterfaceError, type Backend } from '@array-interface/core';
import { type Allocation, type BackendQueue, Memory } from '@array-interface/core/backend';
import { addon, type LeaseHandle } from './addon.js';

/** What a host memory rests on: our own allocator, a producer, or a JavaScript buffer. */
export interface Backing {
  readonly pointer: bigint;
  /** The range that was proved to exist. Null: the caller trusts the producer. */
  readonly allocation: Allocation | null;
  /** Whether the pages may be written, whatever the producer says. */
  readonly writable: boolean;
  /** Set for memory of our own allocator. The memory stays as long as the lease. */
  readonly lease: LeaseHandle | null;
  /** Kept alive as long as the memory is used. */
  readonly producer: unknown;
  /** JavaScript memory, which may be detached or resized at any time; each use looks again. */
  readonly buffer: ArrayBufferLike | null;
}

/** Memory of this process. Each operation ends before it returns, so no work is ever pending. */
export class HostMemory extends Memory {
  readonly backend: Backend;
  readonly pointer: bigint;
  readonly memoryKind = 'pageable';
  /** Null for memory that JavaScript may take away while a device works on it. */
  readonly hostShift: bigint | null;
  #backing: Backing;

  constructor(backend: Backend, backing: Backing, homeQueue: BackendQueue | null = null) {
    super(homeQueue);
    this.backend = backend;
    this.pointer = backing.pointer;
    this.hostShift = backing.buffer instanceof ArrayBuffer ? null : 0n;
    this.#backing = backing;
  }

  /** New memory of this package's own allocator. Throws ERR_OUT_OF_MEMORY. */
  static allocate(
    backend: Backend,
    byteLength: number,
    homeQueue: BackendQueue | null,
  ): HostMemory {
    const { handle: lease, pointer } = addon().allocate(byteLength);
    const allocation = { pointer, byteLength };
    const backing = { pointer, allocation, writable: true, lease, producer: null, buffer: null };
    return new HostMemory(backend, backing, homeQueue);
  }

  /** An ArrayBuffer or SharedArrayBuffer, in place. Throws ERR_DISPOSED for a detached buffer. */
  static ofBuffer(backend: Backend, buffer: ArrayBufferLike): HostMemory {
    const pointer = addressOf(buffer, 'data');
    const none = { allocation: null, lease: null, producer: null };
    return new HostMemory(backend, { ...none, pointer, buffer, writable: true });
  }

  /** The range as it is now. A resizable buffer never moves, but its end may. */
  get allocation(): Allocation | null {
    const { buffer, allocation, pointer } = this.#backing;
    return buffer === null ? allocation : { pointer, byteLength: buffer.byteLength };
  }

  get writable(): boolean {
    return this.#backing.writable;
  }

  /**
   * The same memory for one more owner, of any host backend. The memory stays until that owner
   * ends.
   */
  lend(backend: Backend): HostMemory {
    const { lease, pointer } = this.#backing;
    const held = lease === null ? null : addon().hold(pointer);
    return new HostMemory(backend, { ...this.#backing, lease: held });
  }

  async synchronize(): Promise<void> {}

  /** Throws ERR_DISPOSED for a detached buffer. */
  protected override checkReachable(path: string): void {
    const { buffer, pointer } = this.#backing;
    if (buffer === null) return;
    if (addressOf(buffer, path) !== pointer && buffer.byteLength > 0) throw detached(path);
  }

  protected free(): void {
    const { lease } = this.#backing;
    if (lease !== null) addon().release(lease);
    this.#backing = { ...this.#backing, lease: null, producer: null, buffer: null };
  }
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

function detached(path: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_DISPOSED',
    path,
    'expected a buffer that this thread holds, got one that was detached by a transfer; ' +
      'copy it before it is transferred',
  );
}
