import { abortable } from './abort.js';
import type { BackendArray } from './array.js';
import type {
  ArrayLike,
  ArrayOptions,
  Availability,
  Backend,
  BorrowOptions,
  CopyOptions,
  Device,
  EmptyOptions,
  Nested,
  PointerInfo,
  Protocol,
  QueueOptions,
  TypedArray,
} from './backend.js';
import { checkCopy } from './check-copy.js';
import { describe } from './describe.js';
import type { ArrayDescriptor } from './descriptor.js';
import { dtype, type DTypeLike } from './dtype.js';
import { isPlainData, plainArray } from './plain-array.js';
import { makeDescriptor } from './make-descriptor.js';
import { type Memory, memoryOf } from './memory.js';
import { type CopyPlan, planCopy } from './plan-copy.js';
import type { Queue, WaitOptions } from './queue.js';
import { scalar } from './scalar.js';
import { contiguousByteStrides } from './strides.js';
import { type Side, transfer } from './transfer.js';
import { typedArray } from './typed-array.js';

/** Memory that both the backend's queues and this process reach; holds one dense array. */
export abstract class Staging {
  abstract readonly memory: Memory;
  abstract readonly pointer: bigint;
  /** Copies JavaScript memory in; `plan.destination` counts from the staging's first byte. */
  abstract read(plan: CopyPlan, buffer: ArrayBuffer | SharedArrayBuffer): void;
  /** Copies out into JavaScript memory; `plan.source` counts from the staging's first byte. */
  abstract write(plan: CopyPlan, buffer: ArrayBuffer | SharedArrayBuffer): void;
}

/**
 * What backends have in common: which memory a copy touches, the order of its steps, and staging of
 * JavaScript memory. A backend adds allocation, import and the enqueueing of a finished plan.
 */
export abstract class BaseBackend<A extends BackendArray> implements Backend<A> {
  abstract readonly name: string;
  abstract readonly protocol: Protocol;
  abstract readonly availability: Availability;
  abstract devices(): readonly Device[];
  abstract inspectPointer(pointer: bigint): PointerInfo;
  abstract createQueue(options?: QueueOptions): Queue;
  abstract synchronize(options?: WaitOptions): Promise<void>;

  /** New memory of at least one byte. Throws ERR_OUT_OF_MEMORY. */
  protected abstract allocate(byteLength: number, options: EmptyOptions): Memory;
  /**
   * Memory of a foreign producer, proved to exist and to be within reach. Throws
   * ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS.
   */
  protected abstract borrow(array: ArrayDescriptor, options: BorrowOptions): Memory;
  protected abstract wrap(memory: Memory, descriptor: ArrayDescriptor): A;
  protected abstract stage(byteLength: number, queue: Queue): Staging;
  /** The queue that work goes to when nobody names one. */
  protected abstract defaultQueue(memory: Memory): Queue;
  /** Enqueues a plan whose two sides `queue` reaches. Does not wait. */
  protected abstract enqueue(queue: Queue, plan: CopyPlan): void;

  empty(shape: readonly number[], like: DTypeLike, options: EmptyOptions = {}): A {
    const type = dtype(like);
    const byteStrides = options.byteStrides ?? contiguousByteStrides(shape, type.itemsize);
    const layout = makeDescriptor({ pointer: 0n, shape, dtype: type, byteStrides, claim: 'layout' });
    const [low, high] = layout.extent;
    options.queue?.assertLive();
    const memory = this.allocate(Math.max(1, high - low), options);
    const start = (memory.allocation?.pointer ?? 0n) - BigInt(low);
    return this.wrap(memory, layout.with({ pointer: start, owner: memory }));
  }

  async array(source: ArrayLike | Nested, options: ArrayOptions = {}): Promise<A> {
    const from = isPlainData(source)
      ? plainArray(source, options.dtype)
      : describeSource(source);
    const made = this.empty(from.shape, options.dtype ?? from.dtype, options);
    try {
      await this.copy(made, from, options.signal ? { signal: options.signal } : {});
      return made;
    } catch (error) {
      made[Symbol.dispose]();
      throw error;
    }
  }

  asArray(producer: ArrayLike, options: BorrowOptions = {}): A {
    const own = memoryOf(producer);
    if (own?.backend === this) return this.wrap(own, describeSource(producer));
    const readOnly = options.readOnly === undefined ? {} : { readOnly: options.readOnly };
    const array = describe(producer, { ...readOnly, protocol: this.protocol });
    const memory = this.borrow(array, options);
    return this.wrap(memory, array.with({ owner: memory, stream: null }));
  }

  async copy(
    destination: ArrayLike,
    source: ArrayLike,
    options: CopyOptions = {},
  ): Promise<void> {
    options.signal?.throwIfAborted();
    options.queue?.assertLive();
    const to = describeSource(destination);
    const from = describeSource(source);
    checkCopy(to, from, options.casting);
    if (to.nbytes === 0) return;
    await this.route(to, from, options);
  }

  async fill(
    destination: ArrayLike,
    value: number | bigint | boolean,
    options: CopyOptions = {},
  ): Promise<void> {
    const to = describeSource(destination);
    await this.copy(to, scalar(value, to.dtype), options);
  }

  async toTypedArray(source: ArrayLike, options: CopyOptions = {}): Promise<TypedArray> {
    const from = describeSource(source);
    const buffer = new ArrayBuffer(from.nbytes);
    const elements = typedArray(buffer, from.dtype);
    await this.copy(hostArray(from, buffer), from, options);
    return elements;
  }

  /** Sends a checked copy the way that its two sides ask for. */
  private async route(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions) {
    const foreign = this.foreignSides(to, from);
    if (foreign !== null) return transfer(foreign.to, foreign.from, options);
    if (from.buffer !== null) return this.upload(to, from, options);
    if (to.buffer !== null) return this.download(to, from, options);
    const [target, origin] = [this.hold(to, 'destination'), this.hold(from, 'source')];
    try {
      this.move(to, target, from, origin, options);
    } finally {
      target.release();
      origin.release();
    }
  }

  /** The two sides with their backends, when one of them belongs to another backend than this. */
  private foreignSides(to: ArrayDescriptor, from: ArrayDescriptor): { to: Side; from: Side } | null {
    const [target, origin] = [memoryOf(to.owner)?.backend, memoryOf(from.owner)?.backend];
    const isForeign = (backend: Backend | undefined) => backend !== undefined && backend !== this;
    if (!isForeign(target) && !isForeign(origin)) return null;
    return {
      to: { backend: target ?? this, array: to },
      from: { backend: origin ?? this, array: from },
    };
  }

  /** The memory behind one side, retained: our own, or borrowed for this copy alone. */
  protected hold(array: ArrayDescriptor, path: string): Memory {
    const memory = memoryOf(array.owner) ?? this.borrow(array, {});
    memory.assertLive(path);
    memory.assertHolds(array, path);
    memory.retain();
    return memory;
  }

  /** Enqueues a copy between two memories of this backend, ordered on both. Does not wait. */
  protected move(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    options: CopyOptions,
    keep: readonly Memory[] = [],
  ): Queue {
    const queue =
      options.queue ?? target.homeQueue ?? origin.homeQueue ?? this.defaultQueue(target);
    if (shareBytes(to, from)) return this.moveThroughCopy(to, target, from, origin, queue);
    target.before(queue);
    if (origin !== target) origin.before(queue);
    this.enqueue(queue, planCopy(to, from));
    target.after(queue, keep);
    if (origin !== target) origin.after(queue);
    return queue;
  }

  /** Overlapping sides: as if the source had been copied first. */
  private moveThroughCopy(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    queue: Queue,
  ): Queue {
    using copied = this.empty(from.shape, from.dtype, { queue });
    this.move(copied.descriptor, copied.memory, from, origin, { queue });
    return this.move(to, target, copied.descriptor, copied.memory, { queue });
  }

  /** JavaScript memory is read now; the rest is enqueued. */
  private upload(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions): void {
    const target = this.hold(to, 'destination');
    const queue = options.queue ?? target.homeQueue ?? this.defaultQueue(target);
    try {
      const staging = this.stage(from.nbytes, queue);
      staging.memory.retain();
      try {
        staging.read(planCopy(hostArray(from, null), from), from.buffer as ArrayBuffer);
        const staged = hostArray(from, null).with({ pointer: staging.pointer });
        this.move(to, target, staged, staging.memory, { queue }, [staging.memory]);
      } finally {
        staging.memory.release();
      }
    } finally {
      target.release();
    }
  }

  /** The work is enqueued now; JavaScript memory is written once it has ended. */
  private async download(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions) {
    const origin = this.hold(from, 'source');
    const queue = options.queue ?? origin.homeQueue ?? this.defaultQueue(origin);
    let staging: Staging | null = null;
    try {
      staging = this.stage(to.nbytes, queue);
      staging.memory.retain();
      const staged = hostArray(to, null).with({ pointer: staging.pointer });
      this.move(staged, staging.memory, from, origin, { queue });
      await abortable(queue.record().synchronize(), options.signal);
      staging.write(planCopy(to, hostArray(to, null)), to.buffer as ArrayBuffer);
    } finally {
      staging?.memory.release();
      origin.release();
    }
  }
}

/** A descriptor of whatever an array function was given, without exporting our own arrays. */
export function describeSource(source: ArrayLike): ArrayDescriptor {
  const memory = memoryOf(source);
  return memory === null ? describe(source) : (source as BackendArray).descriptor;
}

/** A dense array of the same shape: in `buffer`, or counted from the first byte of a staging. */
function hostArray(like: ArrayDescriptor, buffer: ArrayBuffer | null): ArrayDescriptor {
  const { shape, dtype: type } = like;
  const byteStrides = contiguousByteStrides(shape, type.itemsize);
  return makeDescriptor({ pointer: 0n, shape, dtype: type, byteStrides, buffer, claim: 'layout' });
}

function shareBytes(to: ArrayDescriptor, from: ArrayDescriptor): boolean {
  const [toLow, toHigh] = to.extent;
  const [fromLow, fromHigh] = from.extent;
  return (
    to.pointer + BigInt(toLow) < from.pointer + BigInt(fromHigh) &&
    from.pointer + BigInt(fromLow) < to.pointer + BigInt(toHigh)
  );
}
