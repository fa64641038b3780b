import { describe } from '../describe.js';
import { type ArrayDescriptor, isArrayDescriptor } from '../descriptor.js';
import { type DTypeLike, dtype } from '../dtype.js';
import { ArrayInterfaceError } from '../error.js';
import { show } from '../show.js';
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
import { Crosser } from './crosser.js';
import { type Memory, memoryOf } from './memory.js';
import { newBuffer } from './new-buffer.js';
import { isPlainData, plainArray, scalarArray } from './plain-array.js';
import type { Queue, WaitOptions } from './queue.js';
import { relativeLayout } from './relative-layout.js';
import { Tally } from './tally.js';
import { typedArray } from './typed-array.js';

/**
 * What backends have in common: which memory a copy touches, the order of its steps, staging, and the
 * way to other backends. A backend adds allocation, import and the enqueueing of a finished plan.
 */
export abstract class BaseBackend<A extends BackendArray> extends Crosser<A> implements Backend<A> {
  abstract readonly name: string;
  abstract readonly protocol: Protocol;
  abstract readonly availability: Availability;
  abstract devices(): readonly Device[];
  abstract inspectPointer(pointer: bigint): PointerInfo;
  abstract createQueue(options?: QueueOptions): Queue;
  abstract synchronize(options?: WaitOptions): Promise<void>;

  empty(shape: readonly number[], like: DTypeLike, options: EmptyOptions = {}): A {
    const layout = relativeLayout(shape, dtype(like), options.byteStrides);
    checkQueue(options.queue);
    return this.make(layout, options);
  }

  async array(source: ArrayLike | Nested, options: ArrayOptions = {}): Promise<A> {
    const from = isPlainData(source) ? plainArray(source, options.dtype) : describeSource(source);
    const made = this.empty(from.shape, options.dtype ?? from.dtype, options);
    try {
      await this.copy(made, from, options);
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
    const [given, read] = [describeSource(destination), describeSource(source)];
    const other = this.otherBackend(given, read);
    if (other !== null) {
      const { queue: _, ...rest } = options;
      return other.copy(given, read, rest);
    }
    const to = this.resolve(given);
    const from = this.resolve(read);
    checkCopy(to, from, options.casting);
    if (to.nbytes === 0) return;
    const rest = this.route(to, from, options);
    if (rest !== null) await rest;
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

  /**
   * The backend of one side where the other is JavaScript memory, which that backend reads before the
   * call returns, and writes, as it does for anybody; null where it is this one or there is no such.
   */
  private otherBackend(to: ArrayDescriptor, from: ArrayDescriptor): Backend | null {
    if (from.buffer === null && (to.buffer === null || this.worksAtOnce)) return null;
    const memory = memoryOf(to.owner) ?? memoryOf(from.owner);
    return memory === null || memory.backend === this ? null : memory.backend;
  }

  /** Sends a checked copy the way that its two sides ask for; null: nothing is left to wait for. */
  private route(
    to: ArrayDescriptor,
    from: ArrayDescriptor,
    options: CopyOptions,
  ): Promise<void> | null {
    if (to.buffer !== null || from.buffer !== null) return this.routeBuffers(to, from, options);
    const crossing = this.moveOrCross(to, from, options);
    if (crossing === null && options.onProgress !== undefined) {
      new Tally(to.nbytes, options.onProgress).add(to.nbytes);
    }
    return crossing;
  }

  /** With JavaScript memory on one side or on both. */
  private async routeBuffers(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions) {
    const tally = new Tally(to.nbytes, options.onProgress);
    if (from.buffer === null) return this.download(to, from, options, tally);
    if (to.buffer === null) this.upload(to, from, options);
    else await this.copyBuffers(to, from, options);
    tally.add(to.nbytes);
  }

  private foreignMemory(memory: Memory): ArrayInterfaceError {
    return new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      'producer',
      `expected memory of the ${this.name} backend, got memory of ${memory.backend.name}; ` +
        'copy it with array()',
    );
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
