import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { readPointer } from '../../input/integer.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Signature } from '../../kernel/signature.js';
import { copyInSteps } from '../../plan/copy-in-steps.js';
import type { CopyPlan } from '../../plan/plan-copy.js';
import type { BackendArray } from '../interface/array.js';
import type { MemoryKind, PointerInfo } from '../interface/device.js';
import type {
  Driver,
  GroupLimits,
  ImportedMemory,
  Launch,
  LaunchLimits,
  Reach,
  Staging,
  Use,
} from '../interface/driver.js';
import type { BufferMapping } from '../interface/mapped-buffers.js';
import { type BackendIdentity, type Memory, memoryOf } from '../interface/memory.js';
import type { BorrowOptions, EmptyOptions } from '../interface/options.js';
import type { BackendQueue } from '../interface/queue.js';
import type { SynchronousMemory } from './memory.js';
import { assertOnlyDevice, assertOwnQueue, SynchronousQueue } from './queue.js';

const ANY = Number.POSITIVE_INFINITY;

/**
 * A `Driver` for one device whose work has ended when the call that asked for it returns. A backend
 * brings memory and a function that moves bytes. It overrides what else it can do: `mapBuffer`,
 * `import`, `build` and `launch`.
 */
export abstract class SynchronousDriver<A extends BackendArray = BackendArray>
  implements Driver<A>
{
  /** The kind of all its memory. */
  abstract readonly memoryKind: MemoryKind;
  /** See `Driver.isSynchronous`. */
  readonly isSynchronous = true;
  /** A kernel does the whole range in one call. */
  readonly launchLimits: LaunchLimits = { items: ANY, groups: [ANY, ANY, ANY] };
  /** The backend that owns the memory. */
  readonly backend: BackendIdentity;
  readonly #queue: SynchronousQueue;

  constructor(backend: BackendIdentity) {
    this.backend = backend;
    this.#queue = new SynchronousQueue(backend);
  }

  /** Returns memory of that many bytes, at least one. Null if there is none. */
  protected abstract newMemory(
    byteLength: number,
    homeQueue: BackendQueue | null,
  ): SynchronousMemory | null;

  /**
   * Returns another owner of the backend's allocation at an address, which keeps `producer`. Null
   * if no allocation has the address.
   */
  protected abstract memoryAt(pointer: bigint, producer: unknown): SynchronousMemory | null;

  /**
   * Moves the bytes of a plan that converts nothing. A side that is an array counts from its first
   * byte; null: the plan has an address of the backend's memory.
   */
  protected abstract moveBytes(
    plan: CopyPlan,
    to: Uint8Array | null,
    from: Uint8Array | null,
  ): void;

  /** See `Driver.wrap`. */
  abstract wrap(memory: Memory, descriptor: ArrayDescriptor, base: A | null): A;

  /** See `Driver.allocate`. */
  allocate(byteLength: number, options: EmptyOptions): SynchronousMemory {
    const { device, memoryKind = this.memoryKind, queue } = options;
    const { name } = this.backend;
    assertOnlyDevice(this.backend, device);
    if (queue !== undefined) assertOwnQueue(this.backend, queue);
    if (memoryKind !== this.memoryKind) {
      const expected = `${this.memoryKind} memory, which is all that the ${name} backend has`;
      throw mismatch('ERR_ARGUMENT', 'memoryKind', expected, `'${memoryKind}'`);
    }
    const memory = this.newMemory(byteLength, queue ?? null);
    if (memory !== null) return memory;
    const expected = `${byteLength} bytes of memory of the ${name} backend`;
    const cure = 'dispose arrays that are no longer used';
    throw mismatch('ERR_OUT_OF_MEMORY', null, expected, 'none', cure);
  }

  /** Implements `Backend.inspectPointer`. */
  inspectPointer(pointer: bigint): PointerInfo {
    const memory = this.memoryAt(readPointer(pointer, 'pointer'), null);
    const info = {
      memoryKind: memory?.memoryKind ?? 'unknown',
      device: memory === null ? null : 0,
      allocation: memory?.allocation ?? null,
      hostAccessible: memory !== null && memory.hostOffset !== null,
    };
    memory?.end();
    return info;
  }

  /** See `Driver.returned`. */
  returned(): number {
    return 0;
  }

  /** Freed memory is available at once, so none is about to be. */
  async memoryReturned(): Promise<boolean> {
    return false;
  }

  /** See `Driver.borrow`. */
  borrow(array: ArrayDescriptor, options: BorrowOptions): Memory {
    if (options.sync !== 'none' && (array.stream !== null || array.syclobj !== null)) {
      throw this.#pendingElsewhere(array);
    }
    const { mask } = array;
    if (mask !== null && mask.buffer === null) this.#prove(mask, 'mask.data[0]', options).end();
    return this.#prove(array, 'data[0]', options);
  }

  /** See `Driver.defaultQueue`. */
  defaultQueue(): BackendQueue {
    return this.#queue;
  }

  /** See `Driver.enqueue`. */
  enqueue(_queue: BackendQueue, plan: CopyPlan): void {
    this.#copy(plan, null, null);
  }

  /** See `Driver.stage`. */
  stage(byteLength: number): Staging {
    const memory = this.allocate(byteLength, {});
    const { pointer } = memory;
    return {
      memory,
      pointer,
      read: (plan, bytes) => {
        this.#copy({ ...plan, destination: plan.destination + pointer }, null, bytes);
      },
      write: (plan, bytes) => {
        this.#copy({ ...plan, source: plan.source + pointer }, bytes, null);
      },
    };
  }

  /** See `Driver.settle`. */
  async settle(): Promise<void> {}

  /** Work has always ended, so that all memory that this process can access is at rest. */
  peek(memory: Memory, plan: CopyPlan, bytes: Uint8Array): boolean {
    if (memory.hostOffset === null) return false;
    this.#copy(plan, bytes, null);
    return true;
  }

  /** See `Driver.mapBuffer`. */
  mapBuffer(_memory: Memory, _address: bigint, _byteLength: number): BufferMapping | null {
    return null;
  }

  /** See `Driver.import`. */
  import(_array: ArrayDescriptor, _memory: Memory, _queue: BackendQueue): ImportedMemory | null {
    return null;
  }

  /** Throws ERR_ARGUMENT for a queue of another backend. */
  reach(queue: BackendQueue, memory: Memory): Reach {
    assertOwnQueue(this.backend, queue);
    return memory.backend === this.backend ? 'kernels' : 'no';
  }

  /** See `Driver.groupOf`. */
  groupOf(range: readonly number[]): readonly number[] {
    return range.map(() => 1);
  }

  /** See `Driver.groupLimits`. */
  groupLimits(): GroupLimits {
    return { items: ANY, axes: [ANY, ANY, ANY], localBytes: ANY };
  }

  /** Throws ERR_KERNEL: a backend that runs kernels overrides it. */
  build(_kernel: Kernel, _signature: Signature, queue: BackendQueue): object {
    assertOwnQueue(this.backend, queue);
    const { name } = this.backend;
    const cure = 'launch it on another backend';
    throw mismatch('ERR_KERNEL', `code.${name}`, 'a backend that runs kernels', name, cure);
  }

  /** Never called for a backend that builds no kernels. */
  launch(_queue: BackendQueue, _built: object, _launch: Launch): void {}

  /** See `Driver.before`. */
  before(queue: BackendQueue): void {
    assertOwnQueue(this.backend, queue);
    queue.assertLive();
  }

  /** See `Driver.after`. */
  after(): void {}

  /** See `Driver.within`. */
  within<T>(_queue: BackendQueue, _uses: readonly Use[], work: () => T): T {
    return work();
  }

  #copy(plan: CopyPlan, to: Uint8Array | null, from: Uint8Array | null): void {
    copyInSteps(plan, to, from, (part, target, source) => this.moveBytes(part, target, source));
  }

  #prove(array: ArrayDescriptor, path: string, options: BorrowOptions): Memory {
    memoryOf(array.owner)?.assertHeld('data');
    // The pointer of JavaScript's memory is an offset into its buffer.
    const memory = array.buffer === null ? this.memoryAt(array.pointer, array.owner) : null;
    if (memory === null && array.size === 0) return this.allocate(1, {});
    if (memory === null) throw this.#unknown(array, path);
    try {
      if (options.bounds !== 'trust') memory.assertHolds(array, path);
      return memory;
    } catch (error) {
      memory.end();
      throw error;
    }
  }

  #unknown({ pointer, buffer }: ArrayDescriptor, path: string): ArrayInterfaceError {
    const expected = `an address of the ${this.backend.name} backend`;
    const cure = 'copy the elements with array()';
    if (buffer !== null) {
      return mismatch('ERR_NOT_ACCESSIBLE', 'data', expected, 'a buffer of JavaScript', cure);
    }
    return mismatch('ERR_POINTER_UNKNOWN', path, expected, `0x${pointer.toString(16)}`, cure);
  }

  #pendingElsewhere({ stream }: ArrayDescriptor): ArrayInterfaceError {
    return mismatch(
      'ERR_NOT_ACCESSIBLE',
      stream === null ? 'syclobj' : 'stream',
      'an array that no stream and no queue works on',
      'one of a device',
      "wait for them and pass { sync: 'none' }, or copy it with the backend of its device",
    );
  }
}
