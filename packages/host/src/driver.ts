import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type Backend,
  type BorrowOptions,
} from '@array-interface/core';
import {
  type BackendQueue,
  type BufferMapping,
  type CopyPlan,
  checkFlag,
  type Driver,
  encodePlan,
  type GroupLimits,
  ImportedCapsule,
  type ImportedMemory,
  importSeen,
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
import { addon } from './addon.js';
import { HostArray } from './memory/array.js';
import { borrow } from './memory/borrow.js';
import { HostMemory } from './memory/memory.js';
import { importFrom, readCapsule } from './memory/read-capsule.js';
import type { HostEmptyOptions } from './options.js';
import { isAccessed } from './order/dependencies.js';
import { checkDevice, checkQueue, HostQueue, ownQueue } from './order/queue.js';
import { copyInOrder } from './work/copy-in-order.js';
import { type BuiltKernel, buildKernel, launchKernel } from './work/kernel.js';
import { runInOrder } from './work/run-in-order.js';

const ANY = Number.POSITIVE_INFINITY;
/** A kernel handles the whole range in one call, or in parts that this backend chooses. */
const NO_LIMITS: GroupLimits = { items: ANY, axes: [ANY, ANY, ANY], localBytes: ANY };

/** Allocates, borrows and orders work on memory of this process. */
export class HostDriver implements Driver<HostArray, HostMemory, HostQueue, BuiltKernel> {
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
      `expected pageable memory, the only kind that the host backend has, got '${memoryKind}'`,
    );
  }

  returned(): number {
    return 0;
  }

  /** Returns false: freed memory is available immediately, so none is ever pending. */
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

  wrap(memory: HostMemory, descriptor: ArrayDescriptor, base: HostArray | null): HostArray {
    return new HostArray(memory, withOwnMask(memory, descriptor), base);
  }

  defaultQueue(): HostQueue {
    return this.#queue;
  }

  /**
   * Copies before it returns, unless the copy must wait for other work. Throws ERR_NOT_ACCESSIBLE
   * for read-only pages.
   */
  enqueue(queue: HostQueue, plan: CopyPlan, target: HostMemory, origin: HostMemory): void {
    target.assertWritable('destination');
    copyInOrder(queue, plan, target, origin);
  }

  /** Never called: `resolve` gives both sides of a copy an address. */
  stage(): Staging {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      null,
      'expected memory with an address, got none',
    );
  }

  async settle(_queue: HostQueue, memory: HostMemory): Promise<void> {
    await memory.synchronize();
  }

  /** Reads memory that only this thread works on, if nothing is pending there. */
  peek(memory: HostMemory, plan: CopyPlan, bytes: Uint8Array): boolean {
    if (!memory.isOfThisThread || isAccessed([memory.access(true)])) return false;
    const destination = plan.destination + addon().addressOf(bytes);
    addon().copy(encodePlan({ ...plan, destination }), 1);
    return true;
  }

  mapBuffer(memory: HostMemory, address: bigint, byteLength: number): BufferMapping | null {
    return memory.mapBuffer(address, byteLength);
  }

  /**
   * Imports device memory that this process can access, once all its pages are proved to be mapped.
   * Null if it is not accessible, or not writable.
   */
  import(array: ArrayDescriptor, memory: Memory): ImportedMemory | null {
    return importSeen(
      array,
      memory,
      (seen) => borrow(this.#backend, seen, {}),
      ({ writable }) => writable,
    );
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

  launch(queue: HostQueue, built: BuiltKernel, launch: Launch<HostMemory>): void | Promise<void> {
    return launchKernel(queue, built, launch);
  }

  /** Enqueues nothing: `within` waits. */
  before(queue: BackendQueue): void {
    checkQueue(queue);
  }

  /**
   * Records nothing: the function's work has ended, or later work already depends on what it
   * enqueued.
   */
  after(): void {}

  within<T>(
    queue: HostQueue,
    uses: readonly Use<HostMemory>[],
    work: () => T,
  ): T | Promise<Awaited<T>> {
    return runInOrder(queue, uses, work);
  }
}

/** A mask that came with the memory stays as long as this owner of it does. */
function withOwnMask({ lease }: HostMemory, array: ArrayDescriptor): ArrayDescriptor {
  const { mask } = array;
  if (lease === null || !(mask?.owner instanceof ImportedCapsule)) return array;
  const owner = new ImportedCapsule(lease);
  owner.isBorrowed = true;
  return replace(array, { mask: replace(mask, { owner }) });
}
