import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type Backend,
  type BorrowOptions,
  type EmptyOptions,
  isArrayInterfaceError,
} from '@array-interface/core';
import {
  type BackendQueue,
  type CopyPlan,
  type Driver,
  type ImportedMemory,
  internals,
  isContiguous,
  type Memory,
  type OwnOptions,
  type Reach,
  replace,
  type Staging,
  unchecked,
} from '@array-interface/core/backend';
import { addon } from './addon.js';
import { borrow } from './borrow.js';
import { HostArray } from './host-array.js';
import { HostMemory } from './host-memory.js';
import { checkDevice, HostQueue, ownQueue } from './host-queue.js';

/** Memory of this process, and work on it, which the calling thread does at once. */
export class HostDriver implements Driver<HostArray> {
  readonly ownOptions: OwnOptions = { copy: { threads: unchecked } };
  readonly worksAtOnce = true;
  readonly #backend: Backend;
  readonly #queue = new HostQueue();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  allocate(byteLength: number, options: EmptyOptions): HostMemory {
    checkDevice(options.device);
    const { memoryKind = 'pageable' } = options;
    const home = ownQueue(options.queue);
    if (memoryKind === 'pageable') return HostMemory.allocate(this.#backend, byteLength, home);
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'memoryKind',
      `expected pageable memory, which is all that the host backend has, got '${memoryKind}'`,
    );
  }

  returned(): number {
    return 0;
  }

  /** False: memory that is given back is free at once, so none is ever on its way. */
  async memoryReturned(): Promise<boolean> {
    return false;
  }

  borrow(array: ArrayDescriptor, options: BorrowOptions): HostMemory {
    return borrow(this.#backend, array, options);
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: HostArray | null): HostArray {
    return new HostArray(memory, descriptor, base);
  }

  defaultQueue(): HostQueue {
    return this.#queue;
  }

  /** The work has ended when this returns. Throws ERR_NOT_ACCESSIBLE for read-only pages. */
  enqueue(queue: BackendQueue, plan: CopyPlan, target: Memory): void {
    assertWritable(target as HostMemory);
    const { threads } = queue as HostQueue;
    const { destination, source, nbytes } = plan;
    if (threads === 1 && isContiguous(plan)) addon().copyBytes(destination, source, nbytes);
    else addon().copy(plan, threads);
  }

  /** Never called: `resolve` leaves no side of a copy in JavaScript memory. */
  stage(): Staging {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      null,
      'expected memory with an address, got none',
    );
  }

  async settle(): Promise<void> {}

  /** Memory of devices that this process reaches, once all its pages are proved to be mapped. */
  import(array: ArrayDescriptor, memory: Memory): ImportedMemory | null {
    const there = internals(memory).onHost(array);
    if (there === null) return null;
    const seen = replace(there, { owner: memory, stream: null, syclobj: null });
    try {
      const imported = borrow(this.#backend, seen, {});
      if (imported.writable) return { memory: imported, array: seen };
      internals(imported).end();
      return null;
    } catch (error) {
      if (isArrayInterfaceError(error)) return null;
      throw error;
    }
  }

  reach(): Reach {
    return 'kernels';
  }
}

function assertWritable({ writable }: HostMemory): void {
  if (writable) return;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'destination',
    'expected pages that may be written, got a mapping that is read-only, whatever its producer ' +
      'says; copy into a new array instead',
  );
}
