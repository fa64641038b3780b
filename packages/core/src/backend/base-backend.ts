import { ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import type { DTypeLike } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { throwIfAborted } from '../input/abort.js';
import { badArgument } from '../input/argument.js';
import { entryOf, lengthOf } from '../input/dict.js';
import { readOptions } from '../input/options.js';
import type { Kernel } from '../kernel/kernel.js';
import type { KernelArguments, Parameters } from '../kernel/parameter.js';
import {
  isPlainData,
  type NestedNumbers,
  plainArray,
  scalarArray,
} from '../numbers/plain-array.js';
import {
  dtypeInJavaScript,
  type TypedArray,
  type TypedArrays,
  typedArray,
} from '../numbers/typed-array.js';
import { checkCopy } from '../plan/check-copy.js';
import { newBuffer } from '../plan/copy-buffers.js';
import { exposes, fromProducer, withFlag } from '../protocols/from-producer.js';
import type { Protocol } from '../protocols/protocol.js';
import { TIMEOUT_MS } from './access/deadline.js';
import {
  claimed,
  describeImported,
  describeOwn,
  describeSource,
  vouched,
} from './access/describe-source.js';
import { layoutFor, makeArray, makeArrayFor } from './access/make-array.js';
import { expose } from './access/map.js';
import { copy } from './copy/copy.js';
import { copyReshaped } from './copy/reshaped.js';
import {
  type ArrayLike,
  type Backend,
  type BackendArray,
  backendOf,
  type OwnedArray,
  type UsedArrays,
} from './interface/array.js';
import type { Availability, DeviceInfo, PointerInfo } from './interface/device.js';
import { type Driver, registerDriver } from './interface/driver.js';
import { copyOptionsForOthers, KnownOptions } from './interface/known-options.js';
import { assertOwn, type Memory, memoryOf, notOwn } from './interface/memory.js';
import type {
  ArrayOptions,
  BorrowOptions,
  CopyOptions,
  EmptyOptions,
  LaunchOptions,
} from './interface/options.js';
import { resolveProxy } from './interface/producer.js';
import { type BackendQueue, checkQueue, type WaitOptions } from './interface/queue.js';
import { launch } from './launch/launch.js';
import { USED_ARRAYS, type UsedArray, use } from './launch/use.js';
import { afterTurns, waitingOf } from './order/deferred-work.js';

/**
 * The public side of a backend, over its driver. It reads options, describes and checks what it is
 * given, and calls the functions that work with drivers. A backend adds its devices and its queues.
 */
export abstract class BaseBackend<
  A extends BackendArray,
  D extends Driver<A> = Driver<A>,
  C extends CopyOptions = CopyOptions,
> implements Backend<A>
{
  /** `cuda`, `sycl`, `host`. */
  abstract readonly name: string;
  /** The interface of its arrays. */
  abstract readonly protocol: Protocol;
  /** Whether it can be used, and what to do if not. */
  abstract readonly availability: Availability;
  /** The driver that does the work. */
  protected readonly driver: D;
  readonly #known: KnownOptions;

  /** `makeDriver` gets this backend, the backend of the driver's memory. It must not use it yet. */
  constructor(makeDriver: (backend: Backend<A>) => D) {
    this.driver = makeDriver(this);
    this.#known = new KnownOptions(this.driver.ownOptions);
    registerDriver(this, this.driver);
  }

  /** Its devices. */
  abstract devices(): readonly DeviceInfo[];
  /** What it finds behind an address. */
  abstract inspectPointer(pointer: bigint): PointerInfo;
  /** A new queue of a device. */
  abstract createQueue(options?: { readonly device?: number }): BackendQueue;
  /** Settles when all work on all its queues has ended. */
  abstract synchronize(options?: WaitOptions): Promise<void>;
  /** Settles when the kernels that were asked for are built. */
  abstract whenKernelsReady(options?: WaitOptions): Promise<void>;

  /** See `Backend`. */
  empty(shape: readonly number[], like: DTypeLike, given: EmptyOptions = {}): OwnedArray<A> {
    const options = readOptions(given, this.#known.empty);
    const layout = relativeLayout(shape, dtype(like), options.byteStrides);
    return makeArray(this.driver, layout, options, TIMEOUT_MS);
  }

  /** See `Backend`. */
  async array(
    source: ArrayLike | NestedNumbers,
    given: ArrayOptions & Partial<C> = {},
  ): Promise<OwnedArray<A>> {
    const options = readOptions(given, this.#known.array);
    const isPlain = isPlainData(source);
    const from = isPlain
      ? plainArray(source, options.dtype, options.casting)
      : describeSource(source, this.protocol, this.driver);
    const layout = layoutFor(from, options);
    const tryOr = makeArrayFor(this.driver, layout, from, options);
    const { made, source: read } = tryOr instanceof Promise ? await tryOr : tryOr;
    try {
      const chosen = this.#known.copyOptionsOf(options);
      // numbers in lists were checked when they were written
      const copying: CopyOptions = isPlain ? { ...chosen, casting: 'same_kind' } : chosen;
      await copyReshaped(this, made.descriptor, read, options, copying);
      return made;
    } catch (error) {
      made[Symbol.dispose]();
      throw error;
    }
  }

  /** See `Backend`. */
  asArray(producer: ArrayLike, given?: BorrowOptions): OwnedArray<A> {
    const options = given === undefined ? {} : readOptions(given, this.#known.borrow);
    const readOnly = options.readOnly === undefined ? {} : { readOnly: options.readOnly };
    const known = describeOwn(producer);
    const read = known === null ? resolveProxy(producer, this.protocol) : producer;
    const own = known ?? describeOwn(read);
    const lender = memoryOf(own?.owner);
    if (own !== null && lender !== null && this.#isOurs(lender)) {
      lender.assertLive('producer');
      lender.assertHolds(own, 'producer');
      return this.#borrow(withFlag(own, options.readOnly), options);
    }
    if (own !== null && lender !== null && !exposes(read, this.protocol)) {
      return this.#borrowFrom(lender, own, options);
    }
    const taken = own === null ? describeImported(read, this.driver, options) : null;
    if (taken !== null) return this.#borrow(withFlag(taken, options.readOnly), options);
    const described = fromProducer(read, { ...readOnly, protocol: this.protocol });
    if (own === null) {
      const claim = this.#vouched(described, read);
      if (claim !== described) return this.#borrow(claim, options);
    }
    const array = this.resolve(described);
    const memory = memoryOf(array.owner);
    if (memory === null) return this.#borrow(array, options);
    assertOwn(this, memory, 'producer');
    return this.driver.wrap(memory, array, null) as OwnedArray<A>;
  }

  // Not async: most copies have nothing to wait for, and an async function's own bookkeeping costs
  // a short copy as much as its checks.
  /** See `Backend`. */
  copy(destination: ArrayLike, source: ArrayLike, options?: C): Promise<void> {
    try {
      const read = options === undefined ? {} : readOptions(options, this.#known.copy);
      return this.#copyNow(destination, source, read as C) ?? Promise.resolve();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Null: nothing to wait for. */
  #copyNow(destination: ArrayLike, source: ArrayLike, options: C): Promise<void> | null {
    const common = this.resolveOptions(options);
    throwIfAborted(common.signal);
    const described = describeSource(destination, this.protocol, this.driver);
    const read = describeSource(source, this.protocol, this.driver);
    // Now: a backend that reaches JavaScript memory by its address copies into memory of its own.
    const given = read.buffer === null ? this.resolve(described) : described;
    const other = this.#otherBackend(given, read);
    if (other !== null) {
      return other.copy(given, read, copyOptionsForOthers(common));
    }
    const to = given === described ? this.resolve(given) : given;
    const from = this.resolve(read);
    checkCopy(to, from, common.casting);
    if (to.nbytes === 0) return null;
    return copy(this.driver, to, from, common);
  }

  /** See `Backend`. */
  async fill(destination: ArrayLike, value: number | bigint | boolean, given?: C): Promise<void> {
    const options = given === undefined ? given : readOptions(given, this.#known.copy);
    const to = describeSource(destination, this.protocol, this.driver);
    const from = scalarArray(value, to.dtype, options?.casting);
    await this.copy(to, from, { ...(options as C), casting: 'same_kind' });
  }

  /** See `Backend`. */
  toTypedArray<Name extends keyof TypedArrays>(
    source: ArrayLike,
    options: C & { readonly dtype: Name },
  ): Promise<TypedArrays[Name]>;
  /** See `Backend`. */
  toTypedArray(
    source: ArrayLike,
    options?: C & { readonly dtype?: DTypeLike },
  ): Promise<TypedArray>;
  async toTypedArray(
    source: ArrayLike,
    given: CopyOptions & { readonly dtype?: DTypeLike } = {},
  ): Promise<TypedArray> {
    const read = readOptions(given, this.#known.download);
    const { dtype: like } = read;
    const options = this.#known.copyOptionsOf(read);
    const from = describeSource(source, this.protocol, this.driver);
    const type = dtypeInJavaScript(like === undefined ? from.dtype : dtype(like));
    const layout = relativeLayout(from.shape, type);
    const buffer = newBuffer(layout.nbytes);
    const elements = typedArray(buffer, type);
    await this.copy(replace(layout, { buffer }), from, options as C);
    return elements;
  }

  /** See `Backend`. */
  launch<P extends Parameters>(
    kernel: Kernel<P>,
    options: LaunchOptions,
    values: KernelArguments<P, ArrayLike>,
  ): Promise<void> {
    try {
      const resolve = (array: ArrayDescriptor) => this.resolve(array);
      const pending = launch(this, this.driver, kernel as Kernel, options, values, resolve);
      return pending ?? Promise.resolve();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** See `Backend`. */
  async use<T, Q extends BackendQueue>(
    queue: Q,
    arrays: UsedArrays,
    enqueue: (queue: Q) => T | Promise<T>,
  ): Promise<T> {
    checkQueue(queue);
    if (typeof enqueue !== 'function') throw badArgument('enqueue', 'a function', enqueue);
    const { reads = [], writes = [] } = readOptions(arrays, USED_ARRAYS);
    const used = [...this.#used(reads, 'reads', false), ...this.#used(writes, 'writes', true)];
    return use(this, this.driver, queue, used, enqueue);
  }

  /** See `Backend`. @internal */
  async expose(array: BackendArray, options: WaitOptions): Promise<TypedArray> {
    assertOwn(this, array.memory, 'array');
    return expose(this.driver, array, options);
  }

  /**
   * The array as this backend sees it. Only a backend that reaches JavaScript memory by its address
   * changes anything; then the owner is new memory of this backend.
   */
  protected resolve(array: ArrayDescriptor): ArrayDescriptor {
    return array;
  }

  /** Does work when all is enqueued that waits for kernels of this backend; now where none does. */
  protected afterWaiting(work: () => Promise<void>): Promise<void> {
    return afterTurns(waitingOf(this), work);
  }

  /** The options of a copy as every backend has them. One that has more turns those into these. */
  protected resolveOptions(options: C): CopyOptions {
    return options;
  }

  #used(arrays: readonly ArrayLike[], name: string, writes: boolean): UsedArray[] {
    const count = lengthOf(arrays, name, 'a list of arrays', 'ERR_ARGUMENT');
    return Array.from({ length: count }, (_, index) => {
      const array = entryOf(arrays, index, name) as ArrayLike;
      const path = `${name}[${index}]`;
      return {
        array: this.resolve(describeSource(array, this.protocol, this.driver)),
        path,
        writes,
      };
    });
  }

  #isOurs(memory: Memory): boolean {
    return memory.backend === this;
  }

  /** What a dict claims that was written for a backend's memory. Only ours vouches here. */
  #vouched(array: ArrayDescriptor, producer: object): ArrayDescriptor {
    const read = vouched(array, producer, this.protocol);
    const memory = memoryOf(read.owner);
    return memory === null || this.#isOurs(memory) ? read : claimed(read, producer);
  }

  /** Borrows another backend's memory, where this one reaches it. */
  #borrowFrom(lender: Memory, array: ArrayDescriptor, options: BorrowOptions): OwnedArray<A> {
    lender.assertLive('producer');
    lender.assertHolds(array, 'producer');
    const taken = this.driver.importFrom?.(lender, array, options) ?? null;
    if (taken === null) throw notOwn(this, lender, 'producer');
    return this.#borrow(withFlag(taken, options.readOnly), options);
  }

  #borrow(array: ArrayDescriptor, options: BorrowOptions): OwnedArray<A> {
    const memory = this.driver.borrow(array, options);
    const { pointer, shape, byteStrides, dtype, readOnly, base, syclobj, mask, buffer } = array;
    // Without its stream. `replace` takes three times as long.
    const layout = { pointer, shape, byteStrides, dtype, readOnly, base, syclobj, mask, buffer };
    const descriptor = new ArrayDescriptor({ ...layout, owner: memory });
    return this.driver.wrap(memory, descriptor, null) as OwnedArray<A>;
  }

  /**
   * The other backend of a copy from or to JavaScript memory. That backend does such a copy itself:
   * it reads JavaScript memory before the call returns, and writes it. Null where there is none, or
   * it is this one.
   */
  #otherBackend(to: ArrayDescriptor, from: ArrayDescriptor): Backend | null {
    if (from.buffer === null && to.buffer === null) return null;
    const memory = memoryOf(to.owner) ?? memoryOf(from.owner);
    return memory === null || this.#isOurs(memory) ? null : backendOf(memory);
  }
}
