import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type Backend,
  type BorrowOptions,
  isArrayInterfaceError,
} from '@array-interface/core';
import {
  type BackendQueue,
  type BufferMapping,
  type CopyPlan,
  checkFlag,
  type Driver,
  type GroupLimits,
  type ImportedMemory,
  internals,
  type Kernel,
  type Launch,
  type LaunchLimits,
  type Memory,
  type OwnOptions,
  type Reach,
  replace,
  type Signature,
  type Staging,
  type Use,
  unchecked,
} from '@array-interface/core/backend';
import { HostArray } from './memory/array.js';
import { borrow } from './memory/borrow.js';
import { HostMemory } from './memory/memory.js';
import { importFrom, readCapsule } from './memory/read-capsule.js';
import type { HostEmptyOptions } from './options.js';
import { checkDevice, checkQueue, HostQueue, ownQueue } from './order/queue.js';
import { copyInTurn } from './work/copy-in-turn.js';
import { type BuiltKernel, buildKernel, launchKernel } from './work/kernel.js';
import { takeTurn } from './work/take-turn.js';

const ANY = Number.POSITIVE_INFINITY;
/** Its kernels do a whole range in one call, or in parts of their own choice. */
const NO_LIMITS: GroupLimits = { items: ANY, axes: [ANY, ANY, ANY], localBytes: ANY };

/** Memory of this process, and work on it. */
export class HostDriver implements Driver<HostArray> {
  readonly ownOptions: OwnOptions = {
    copy: { threads: unchecked },
    empty: { shareable: checkFlag },
  };
  readonly isSynchronous = true;
  readonly launchLimits: LaunchLimits = { items: ANY, groups: [ANY, ANY, ANY] };
  readonly #backend: Backend;
  readonly #queue = new HostQueue();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  allocate(byteLength: number, options: HostEmptyOptions): HostMemory {
    checkDevice(options.device);
    const { memoryKind = 'pageable', shareable = false } = options;
    const home = ownQueue(options.queue);
    if (memoryKind === 'pageable') {
      const make = shareable ? HostMemory.allocateShareable : HostMemory.allocate;
      return make(this.#backend, byteLength, home);
    }
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

  readCapsule(capsule: object, options?: BorrowOptions): ArrayDescriptor | null {
    return readCapsule(capsule, options);
  }

  importFrom(
    memory: Memory,
    array: ArrayDescriptor,
    options: BorrowOptions,
  ): ArrayDescriptor | null {
    return importFrom(memory, array, options);
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: HostArray | null): HostArray {
    return new HostArray(memory, descriptor, base);
  }

  defaultQueue(): HostQueue {
    return this.#queue;
  }

  /**
   * The work has ended when this returns, unless it has to wait for other work. Throws
   * ERR_NOT_ACCESSIBLE for read-only pages.
   */
  enqueue(queue: BackendQueue, plan: CopyPlan, target: Memory, origin: Memory): void {
    const into = target as HostMemory;
    into.assertWritable('destination');
    copyInTurn(queue as HostQueue, plan, into, origin as HostMemory);
  }

  /** Never called: `resolve` leaves no side of a copy in JavaScript memory. */
  stage(): Staging {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      null,
      'expected memory with an address, got none',
    );
  }

  async settle(_queue: BackendQueue, memory: Memory): Promise<void> {
    await memory.synchronize();
  }

  expose(memory: Memory, address: bigint, byteLength: number): BufferMapping | null {
    return (memory as HostMemory).expose(address, byteLength);
  }

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

  groupOf(range: readonly number[]): readonly number[] {
    return range.map(() => 1);
  }

  groupLimits(): GroupLimits {
    return NO_LIMITS;
  }

  build(kernel: Kernel, signature: Signature, queue: BackendQueue): BuiltKernel {
    ownQueue(queue); // not whether it is live: an array's own queue may have been disposed
    return buildKernel(kernel, signature);
  }

  launch(queue: BackendQueue, built: object, launch: Launch): void | Promise<void> {
    return launchKernel(queue as HostQueue, built as BuiltKernel, launch);
  }

  /** Nothing to enqueue: `within` waits. */
  before(queue: BackendQueue): void {
    checkQueue(queue);
  }

  /** Nothing to note: what `use` has called has done its work, or work waits for what it has asked for. */
  after(): void {}

  within<T>(queue: BackendQueue, uses: readonly Use[], work: () => T): T | Promise<Awaited<T>> {
    return takeTurn(queue as HostQueue, uses, work);
  }
}
