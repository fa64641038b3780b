import { describe } from '../describe.js';
import { type ArrayDescriptor, isArrayDescriptor } from '../descriptor.js';
import { type DTypeLike, dtype, sameDType } from '../dtype.js';
import { ArrayInterfaceError } from '../error.js';
import { show } from '../show.js';
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
import { bytesOf, copyBuffers } from './copy-buffers.js';
import { type Memory, memoryOf } from './memory.js';
import { newBuffer } from './new-buffer.js';
import { isPlainData, plainArray, scalarArray } from './plain-array.js';
import { type CopyPlan, isAligned, planCopy } from './plan-copy.js';
import type { Queue, WaitOptions } from './queue.js';
import { relativeLayout } from './relative-layout.js';
import { stagedParts } from './staged-parts.js';
import type { Staging } from './staging.js';
import { type Side, transfer } from './transfer.js';
import { typedArray } from './typed-array.js';
import { waitForUnknown } from './wait-for-unknown.js';

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
    const layout = relativeLayout(shape, dtype(like), options.byteStrides);
    checkQueue(options.queue);
    return this.make(layout, options);
  }

  private make(layout: ArrayDescriptor, options: EmptyOptions): A {
    const memory = this.allocate(Math.max(1, layout.extent[1]), options);
    return this.wrap(memory, layout.with({ pointer: memory.pointer, owner: memory }));
  }

  async array(source: ArrayLike | Nested, options: ArrayOptions = {}): Promise<A> {
    const from = isPlainData(source) ? plainArray(source, options.dtype) : describeSource(source);
    const made = this.empty(from.shape, options.dtype ?? from.dtype, options);
    try {
      const { signal, casting } = options;
      await this.copy(made, from, { ...(signal && { signal }), ...(casting && { casting }) });
      return made;
    } catch (error) {
      made[Symbol.dispose]();
      throw error;
    }
  }

  asArray(producer: ArrayLike, options: BorrowOptions = {}): A {
    const readOnly = options.readOnly === undefined ? {} : { readOnly: options.readOnly };
    const own = describeOwn(producer);
    const memory = memoryOf(own?.owner);
    if (own !== null && memory?.backend === this) {
      memory.assertLive('producer');
      memory.assertHolds(own, 'producer');
      return this.wrap(memory, describe(own, readOnly));
    }
    const array = this.resolve(describe(producer, { ...readOnly, protocol: this.protocol }));
    const known = memoryOf(array.owner);
    if (known !== null && known.backend !== this) throw this.foreignMemory(known);
    const borrowed = known ?? this.borrow(array, options);
    return this.wrap(borrowed, array.with({ owner: borrowed, stream: null }));
  }

  async copy(destination: ArrayLike, source: ArrayLike, options: CopyOptions = {}): Promise<void> {
    options.signal?.throwIfAborted();
    checkQueue(options.queue);
    const to = this.resolve(describeSource(destination));
    const from = this.resolve(describeSource(source));
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
    await this.copy(to, scalarArray(value, to.dtype), options);
  }

  async toTypedArray(source: ArrayLike, options: CopyOptions = {}): Promise<TypedArray> {
    const from = describeSource(source);
    const buffer = newBuffer(from.nbytes);
    const elements = typedArray(buffer, from.dtype);
    await this.copy(denseArray(from, buffer), from, options);
    return elements;
  }

  /**
   * How this backend sees an array; only one that reaches JavaScript memory by address has another
   * view than the array's own.
   */
  protected resolve(array: ArrayDescriptor): ArrayDescriptor {
    return array;
  }

  /** Sends a checked copy the way that its two sides ask for. */
  private async route(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions) {
    if (this.isForeign(to) || this.isForeign(from)) return this.cross(to, from, options);
    if (from.buffer !== null && to.buffer !== null) return this.copyBuffers(to, from, options);
    if (from.buffer !== null) return this.upload(to, from, options);
    if (to.buffer !== null) return this.download(to, from, options);
    const target = this.hold(to, 'destination');
    try {
      const origin = this.hold(from, 'source');
      try {
        if (this.areApart(target, origin)) await this.carry(to, target, from, origin, options);
        else this.move(to, target, from, origin, options);
      } finally {
        origin.release();
      }
    } finally {
      target.release();
    }
  }

  /**
   * Whether no queue reaches both, or a queue does not reach a memory; then a copy goes through the
   * host. Only a backend with several contexts has such.
   */
  protected areApart(_one: Memory | Queue, _other: Memory): boolean {
    return false;
  }

  /** Through the host, each side on a queue of its own; has ended when it settles. */
  private async carry(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    { queue, ...rest }: CopyOptions,
  ): Promise<void> {
    const side = (array: ArrayDescriptor, memory: Memory): Side => {
      const own = queue === undefined || this.areApart(queue, memory) ? undefined : queue;
      return { backend: this, queue: own, array: array.with({ owner: memory }) };
    };
    await transfer(side(to, target), side(from, origin), rest);
  }

  private isForeign(array: ArrayDescriptor): boolean {
    const memory = memoryOf(array.owner);
    return memory !== null && memory.backend !== this;
  }

  private foreignMemory(memory: Memory): ArrayInterfaceError {
    return new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      'producer',
      `expected memory of the ${this.name} backend, got memory of ${memory.backend.name}; ` +
        'copy it with array()',
    );
  }

  /** Between backends: both sides are proved before anything is written, and kept until the end. */
  private async cross(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions) {
    const { queue, ...rest } = options;
    const side = (array: ArrayDescriptor, memory: Memory | null): Side => {
      const backend = memory?.backend ?? this;
      const own = backend === this ? queue : undefined;
      return { backend, queue: own, array: array.with({ owner: memory ?? array.owner }) };
    };
    const target = to.buffer === null ? this.hold(to, 'destination') : null;
    try {
      const origin = from.buffer === null ? this.hold(from, 'source') : null;
      try {
        await transfer(side(to, target), side(from, origin), rest);
      } finally {
        origin?.release();
      }
    } finally {
      target?.release();
    }
  }

  /** The memory behind one side, retained: our own, or borrowed for this copy alone. */
  protected hold(array: ArrayDescriptor, path: string): Memory {
    const memory = memoryOf(array.owner) ?? this.borrow(array, {});
    memory.retain();
    try {
      memory.assertLive(path);
      memory.assertHolds(array, path);
      return memory;
    } catch (error) {
      memory.release();
      throw error;
    }
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
    const [reachedTo, reachedFrom] = [target.reached(to), origin.reached(from)];
    if (shareBytes(reachedTo, reachedFrom)) {
      return this.moveThroughCopy(to, target, from, origin, queue);
    }
    const plan = planCopy(reachedTo, reachedFrom);
    if (!isAligned(plan)) return this.moveThroughAligned(to, target, from, origin, queue);
    target.before(queue);
    if (origin !== target) origin.before(queue);
    try {
      this.enqueue(queue, plan);
      target.after(queue, keep);
      if (origin !== target) origin.after(queue);
    } catch (error) {
      waitForUnknown(queue);
      throw error;
    }
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
    // Not `empty`, which refuses a queue that its maker disposed while arrays still need it.
    using copied = this.make(relativeLayout(from.shape, from.dtype), { queue });
    this.move(copied.descriptor, copied.memory, from, origin, { queue });
    return this.move(to, target, copied.descriptor, copied.memory, { queue });
  }

  /** Numbers at odd addresses, where devices convert none: their bytes go to even ones first. */
  private moveThroughAligned(
    to: ArrayDescriptor,
    target: Memory,
    from: ArrayDescriptor,
    origin: Memory,
    queue: Queue,
  ): Queue {
    using copied = this.make(relativeLayout(from.shape, from.dtype), { queue });
    using converted = this.make(relativeLayout(to.shape, to.dtype), { queue });
    this.move(copied.descriptor, copied.memory, from, origin, { queue });
    this.move(converted.descriptor, converted.memory, copied.descriptor, copied.memory, { queue });
    return this.move(to, target, converted.descriptor, converted.memory, { queue });
  }

  /** Within JavaScript memory; numbers that change go through memory of the backend. */
  private async copyBuffers(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions) {
    if (sameDType(to.dtype, from.dtype)) return copyBuffers(to, from);
    const { queue } = options;
    using converted = this.make(relativeLayout(from.shape, to.dtype), queue ? { queue } : {});
    this.upload(converted.descriptor, from, options);
    await this.download(to, converted.descriptor, options);
  }

  /** JavaScript memory is read now, and converted on the way; the rest is enqueued. */
  private upload(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions): void {
    const target = this.hold(to, 'destination');
    try {
      const queue = options.queue ?? target.homeQueue ?? this.defaultQueue(target);
      for (const [part, piece] of stagedParts(to, from))
        this.uploadPiece(part, target, piece, queue);
    } finally {
      target.release();
    }
  }

  private uploadPiece(to: ArrayDescriptor, target: Memory, from: ArrayDescriptor, queue: Queue) {
    const layout = relativeLayout(from.shape, to.dtype);
    const staging = this.stage(layout.nbytes, queue);
    staging.memory.retain();
    try {
      staging.read(planCopy(layout, from), bytesOf(from, 'source'));
      const staged = layout.with({ pointer: staging.pointer });
      this.move(to, target, staged, staging.memory, { queue }, [staging.memory]);
    } finally {
      staging.memory.release();
    }
  }

  /**
   * The work is enqueued now, all of it: what the queue is given later comes after it. JavaScript
   * memory is written, and converted, piece by piece as it ends.
   */
  private async download(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions) {
    const origin = this.hold(from, 'source');
    try {
      const queue = options.queue ?? origin.homeQueue ?? this.defaultQueue(origin);
      const waits = stagedParts(to, from).map(([part, piece]) =>
        this.downloadPiece(part, piece, origin, { ...options, queue }),
      );
      const failed = (await Promise.allSettled(waits)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    } finally {
      origin.release();
    }
  }

  private async downloadPiece(
    to: ArrayDescriptor,
    from: ArrayDescriptor,
    origin: Memory,
    { queue, signal }: CopyOptions & { readonly queue: Queue },
  ) {
    const layout = relativeLayout(to.shape, from.dtype);
    const staging = this.stage(layout.nbytes, queue);
    staging.memory.retain();
    try {
      const staged = layout.with({ pointer: staging.pointer });
      this.move(staged, staging.memory, from, origin, { queue });
      await abortable(queue.record().synchronize(), signal);
      staging.write(planCopy(to, layout), bytesOf(to, 'destination'));
    } finally {
      staging.memory.release();
    }
  }
}

/** A descriptor of whatever an array function was given, without exporting our own arrays. */
export function describeSource(source: ArrayLike): ArrayDescriptor {
  return describeOwn(source) ?? describe(source);
}

/** The descriptor of an array of ours, or the descriptor itself; null for everything foreign. */
function describeOwn(source: ArrayLike): ArrayDescriptor | null {
  if (isArrayDescriptor(source)) return source;
  return memoryOf(source) === null ? null : (source as BackendArray).descriptor;
}

/** A dense array of the same shape: in `buffer`, or counted from the first byte of a staging. */
function denseArray(like: ArrayDescriptor, buffer: ArrayBuffer | null): ArrayDescriptor {
  return relativeLayout(like.shape, like.dtype, null, buffer);
}

function shareBytes(to: ArrayDescriptor, from: ArrayDescriptor): boolean {
  const [toLow, toHigh] = to.extent;
  const [fromLow, fromHigh] = from.extent;
  return (
    to.pointer + BigInt(toLow) < from.pointer + BigInt(fromHigh) &&
    from.pointer + BigInt(fromLow) < to.pointer + BigInt(toHigh)
  );
}

/** Whose queue it is, its backend sees. */
function checkQueue(queue: Queue | undefined): void {
  if (queue === undefined) return;
  if (typeof queue?.assertLive !== 'function') {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'queue',
      `expected a queue, got ${show(queue)}; make one with createQueue()`,
    );
  }
  queue.assertLive();
}
