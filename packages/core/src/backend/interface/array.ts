/// <reference lib="esnext.disposable" preserve="true" />
import { type DescribeItself, describeBrand } from '../../descriptor/described-array.js';
import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import type { ByteStrides, ElementStrides } from '../../descriptor/strides.js';
import { shaped, summary } from '../../descriptor/summary.js';
import type { Descr, DType, DTypeLike } from '../../dtype/dtype.js';
import { toDescr } from '../../dtype/to-descr.js';
import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { withFallback } from '../../errors/with-fallback.js';
import { abortable } from '../../input/abort.js';
import { allEnded } from '../../input/all-ended.js';
import { type Checks, checkSignal, readOptions } from '../../input/options.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { KernelArguments, Parameters } from '../../kernel/parameter.js';
import { assertOne, nested, onlyElement } from '../../numbers/nested.js';
import type { NestedNumbers } from '../../numbers/plain-array.js';
import type { ElementValue, NestedElements } from '../../numbers/read-element.js';
import type { MappedArrays, TypedArray, TypedArrays } from '../../numbers/typed-array.js';
import type { NestedRows } from '../../plan/gather-rows.js';
import { strText } from '../../text/array-text.js';
import { LIMIT_CHECKS, USUAL_LIMITS } from '../../text/limits.js';
import { maskedText } from '../../text/masked-text.js';
import { printed } from '../../text/print.js';
import { shownPart } from '../../text/shown-part.js';
import { broadcastTo } from '../../views/broadcast.js';
import { field } from '../../views/field.js';
import { flip, permuteDims, transpose } from '../../views/permute-dims.js';
import { expandDims, reshape, squeeze } from '../../views/reshape.js';
import { type SliceRange, slice } from '../../views/slice.js';
import { view } from '../../views/view.js';

import { type ArrayCapsule, type ArrayProducer, arrayCapsule } from './capsule.js';
import type { Availability, DeviceInfo, PointerInfo } from './device.js';
import type {
  AxisOption,
  ConcatOptions,
  DTypeOption,
  EyeOptions,
  LinspaceOptions,
  PutOptions,
  RollOptions,
  StackOptions,
} from './function-options.js';
import { answersWithMemory, type BackendIdentity, type Memory } from './memory.js';
import type {
  AllCloseOptions,
  ArrayOptions,
  BorrowOptions,
  CopyOptions,
  EmptyOptions,
  LaunchOptions,
  MapOptions,
  ReadOptions,
  TextOptions,
} from './options.js';
import type { ArrayProxy } from './producer.js';
import { type BackendQueue, checkQueue, readSignal, type WaitOptions } from './queue.js';
import { readMask } from './read-mask.js';

/**
 * An array that allocated or borrowed its memory and therefore owns it. Disposing it ends the
 * memory under all its views.
 */
export type OwnedArray<A extends BackendArray> = A & Owner;

/** What keeps memory until it is disposed: an array that is no view, or a ticket. */
export interface Owner extends Disposable {
  /** Does what `using` does at the end of a block. A second call does nothing. */
  dispose(): void;
}

/** The type of an array's views: arrays of the same class that cannot be disposed. */
export type ArrayView<A extends BackendArray> = A extends (infer B extends BackendArray) & Owner
  ? B
  : A extends (infer B extends BackendArray) & Disposable
    ? B
    : A;

const TEXT: Checks<TextOptions> = { signal: checkSignal, ...LIMIT_CHECKS };

/**
 * Every array produces capsules. A capsule passes the array to one native addon and can be used
 * once; `@array-interface/abi` describes the format.
 *
 * A capsule names pending work as the interface dict does. Later work of this library is ordered
 * after what its consumer enqueues. The memory lives until the consumer has released it, even if
 * the array has been disposed. Making a capsule copies nothing and does not block. Throws
 * ERR_DISPOSED, ERR_PENDING, ERR_MASK, ERR_DTYPE_UNSUPPORTED, ERR_STRIDE_UNIT, and
 * ERR_NOT_ACCESSIBLE for JavaScript's own memory.
 */
export interface BackendArray extends ArrayProducer {}

/**
 * An array of a backend: a descriptor and the memory behind it.
 *
 * Functions that allocate or borrow return an owner, which the caller disposes. A view names its
 * owner as `base` and keeps it from being garbage-collected; a view itself is never disposed. After
 * the owner has been disposed, `pointer`, `descriptor` and every operation throw ERR_DISPOSED, on
 * the owner and on its views.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: types of computed names come from interfaces alone
export abstract class BackendArray {
  /** The memory behind this array and all its views. */
  readonly memory: Memory;
  /** The array that owns this view's memory, like NumPy's `base`. Null for the owner itself. */
  readonly base: OwnedArray<BackendArray> | null;
  readonly #descriptor: ArrayDescriptor;

  constructor(memory: Memory, descriptor: ArrayDescriptor, base: BackendArray | null) {
    this.memory = memory;
    this.base = base as OwnedArray<BackendArray> | null;
    this.#descriptor =
      descriptor.owner === memory ? descriptor : replace(descriptor, { owner: memory });
    if (base === null) ownMemory(this);
  }

  /** Returns a view of the same class over the same memory. */
  protected abstract over(descriptor: ArrayDescriptor, base: BackendArray): BackendArray;

  /**
   * Returns the descriptor as a dict of this array states it: with the stream or queue that
   * consumers must follow. A backend whose dicts name one overrides this; core's writers call it
   * when they get an array. Throws ERR_DISPOSED, and what the getter of the dict throws.
   */
  protected exported(): ArrayDescriptor {
    return this.descriptor;
  }

  /** The backend that allocated or borrowed the memory. */
  get backend(): Backend {
    return backendOf(this.memory);
  }

  /** Layout and dtype. The descriptor's owner is `memory`. Throws ERR_DISPOSED. */
  get descriptor(): ArrayDescriptor {
    this.memory.assertLive('array');
    return this.#descriptor;
  }

  /** Lengths of the axes. */
  get shape(): readonly number[] {
    return this.#descriptor.shape;
  }

  /** Number of axes. */
  get ndim(): number {
    return this.#descriptor.ndim;
  }

  /** Number of elements. */
  get size(): number {
    return this.#descriptor.size;
  }

  /** The dtype of the elements. */
  get dtype(): DType {
    return this.#descriptor.dtype;
  }

  /** Size of one element in bytes. */
  get itemsize(): number {
    return this.#descriptor.itemsize;
  }

  /** `size` times `itemsize`: the size of a dense copy in bytes. */
  get nbytes(): number {
    return this.#descriptor.nbytes;
  }

  /** Bytes from one element to the next along each axis. */
  get byteStrides(): ByteStrides {
    return this.#descriptor.byteStrides;
  }

  /** `byteStrides` in elements. Null if any stride is not a whole number of elements. */
  get elementStrides(): ElementStrides | null {
    return this.#descriptor.elementStrides;
  }

  /** Whether the elements are dense in C order, in Fortran order, or both. */
  get contiguous(): { readonly c: boolean; readonly f: boolean } {
    return this.#descriptor.contiguous;
  }

  /** Address of the element with all-zero indices. Throws ERR_DISPOSED. */
  get pointer(): bigint {
    return this.descriptor.pointer;
  }

  /** Whether the producer forbids writing. */
  get readOnly(): boolean {
    return this.#descriptor.readOnly;
  }

  /** Whether the owner of the memory has been disposed. */
  get disposed(): boolean {
    return this.memory.ended;
  }

  /**
   * Returns a view of part of each axis. Copies nothing.
   *
   * `null` takes the whole axis. A number takes that element and drops the axis; negative numbers
   * count from the end. `[start, stop, step?]` is Python's `start:stop:step`. Axes without a range
   * stay whole. Ranges are clamped as in NumPy; single indices are not. Throws ERR_DISPOSED,
   * ERR_TYPE, ERR_ARGUMENT, ERR_MASK.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = await host.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' });
   * const corner = image.slice([[0, 1], [1, null]]); // [[2, 3]]
   * const lastRow = image.slice([-1]); // [4, 5, 6]
   * const mirrored = image.slice([null, [null, null, -1]]); // [[3, 2, 1], [6, 5, 4]]
   * ```
   */
  slice(ranges: readonly SliceRange[]): ArrayView<this> {
    return this.viewAs(slice(this.descriptor, ranges));
  }

  /**
   * Returns a view with its axes permuted: axis `i` of the view is axis `axes[i]` of the array.
   * Copies nothing.
   *
   * Each axis is named once; negative axes count from the end. Throws ERR_DISPOSED, ERR_TYPE,
   * ERR_ARGUMENT, ERR_RANK_MISMATCH, ERR_MASK.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = host.empty([480, 640, 3], 'uint8');
   * console.log(image.permuteDims([2, 0, 1]).shape); // [ 3, 480, 640 ]
   * ```
   */
  permuteDims(axes: readonly number[]): ArrayView<this> {
    return this.viewAs(permuteDims(this.descriptor, axes));
  }

  /**
   * Returns a view with the order of the axes reversed. Copies nothing. Throws ERR_DISPOSED,
   * ERR_MASK.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using matrix = host.empty([2, 3], 'float32');
   * console.log(matrix.transpose().shape); // [ 3, 2 ]
   * ```
   */
  transpose(): ArrayView<this> {
    return this.viewAs(transpose(this.descriptor));
  }

  /**
   * Returns a view with the elements reversed along one axis, several axes or, without `axes`, all
   * of them. Copies nothing.
   *
   * Negative axes count from the end. Throws ERR_DISPOSED, ERR_TYPE, ERR_ARGUMENT,
   * ERR_RANK_MISMATCH, ERR_MASK.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.array([1, 2, 3], { dtype: 'float32' });
   * console.log(await host.toTypedArray(row.flip(0))); // Float32Array(3) [ 3, 2, 1 ]
   * ```
   */
  flip(axes?: number | readonly number[]): ArrayView<this> {
    return this.viewAs(flip(this.descriptor, axes));
  }

  /**
   * Returns a view of the same elements in another shape. Copies nothing; throws ERR_NOT_A_VIEW if
   * only a copy could have the shape.
   *
   * One length may be -1 and is then computed from the others. The last index changes fastest, or
   * the first if `order` is 'F'. Also throws ERR_DISPOSED, ERR_SHAPE_MISMATCH, ERR_ARGUMENT,
   * ERR_MASK, and what every reader throws for a shape.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using values = await host.array([1, 2, 3, 4, 5, 6], { dtype: 'float32' });
   * console.log(values.reshape([2, -1]).shape); // [ 2, 3 ]
   * ```
   */
  reshape(shape: readonly number[], options?: { readonly order?: 'C' | 'F' }): ArrayView<this> {
    return this.viewAs(reshape(this.descriptor, shape, options));
  }

  /**
   * Returns a read-only view that repeats axes of length 1 and adds missing leading axes until it
   * has `shape`. Copies nothing.
   *
   * Repeated elements share memory, so the view is read-only even if nothing is repeated. Throws
   * ERR_DISPOSED, ERR_SHAPE_MISMATCH, ERR_MASK, and what every reader throws for a shape.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.array([1, 2, 3], { dtype: 'float32' });
   * console.log(row.broadcastTo([2, 3]).byteStrides); // [ 0, 4 ]
   * ```
   */
  broadcastTo(shape: readonly number[]): ArrayView<this> {
    return this.viewAs(broadcastTo(this.descriptor, shape));
  }

  /**
   * Returns a view with new axes of length 1. Copies nothing.
   *
   * `axes` are positions in the view; negative ones count from its end. Throws ERR_DISPOSED,
   * ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH, ERR_MASK.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = host.empty([3], 'float32');
   * console.log(row.expandDims(0).shape); // [ 1, 3 ]
   * ```
   */
  expandDims(axes: number | readonly number[]): ArrayView<this> {
    return this.viewAs(expandDims(this.descriptor, axes));
  }

  /**
   * Returns a view without the named axes, each of which must have length 1. Copies nothing.
   *
   * Negative axes count from the end. Throws ERR_DISPOSED, ERR_TYPE, ERR_ARGUMENT,
   * ERR_RANK_MISMATCH, ERR_MASK.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using batch = host.empty([1, 480, 640], 'uint8');
   * console.log(batch.squeeze(0).shape); // [ 480, 640 ]
   * ```
   */
  squeeze(axes: number | readonly number[]): ArrayView<this> {
    return this.viewAs(squeeze(this.descriptor, axes));
  }

  /**
   * Returns a view of one field of a record, found by name or title. Copies nothing.
   *
   * Further names descend into nested records. The axes of a sub-array come last. Throws
   * ERR_DISPOSED, ERR_TYPE, ERR_ARGUMENT with the path of the name, ERR_RANK_MISMATCH, ERR_MASK,
   * ERR_OVERFLOW.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using points = host.empty([100], [['x', 'f4'], ['y', 'f4'], ['id', 'i4']]);
   * const x = points.field('x'); // float32, with strides of 12 bytes
   * ```
   */
  field(...names: readonly string[]): ArrayView<this> {
    return this.viewAs(field(this.descriptor, ...names));
  }

  /**
   * Returns a view of the same bytes as another dtype, records included. Copies and converts
   * nothing.
   *
   * If the itemsize differs, the last axis must be contiguous, and its bytes must divide into whole
   * elements of the new dtype. Throws ERR_DISPOSED, ERR_TYPE, ERR_NOT_A_VIEW, ERR_MASK, and what
   * `dtype` throws.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using words = await host.array([1, 2], { dtype: 'uint32' });
   * console.log(words.view('uint8').shape); // [ 8 ]
   * ```
   */
  view(dtype: DTypeLike): ArrayView<this> {
    return this.viewAs(view(this.descriptor, dtype));
  }

  /**
   * Settles once all of this library's work on the memory has ended, including work that waits for
   * a kernel to be built and, on CUDA, work of other processes that share it. Does not block a
   * thread.
   *
   * Rejects with ERR_DISPOSED, with the error of work that failed, or with the reason of
   * `options.signal`. An abort ends the wait, not the work.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using row = cuda.empty([3], 'float32');
   * await cuda.copy(row, new Float32Array([1, 2, 3]));
   * await row.synchronize(); // the copy has now ended, not only been enqueued
   * ```
   */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    this.memory.assertLive('array');
    await abortable(this.memory.synchronize(), signal);
  }

  /**
   * Records that other code has enqueued work on this array to `queue`, as if this library had
   * enqueued it. Does not block.
   *
   * Later work on the array is ordered after everything enqueued to the queue so far, and the
   * memory lives until that has ended. `Backend.use` also orders such work after earlier work on
   * the array. Throws ERR_DISPOSED, ERR_ARGUMENT for anything but a queue of the backend, and the
   * backend's errors.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * declare function launch(stream: bigint, pointer: bigint): void; // of your addon
   * using stream = cuda.createStream();
   * using array = cuda.empty([3], 'float32', { queue: stream });
   * launch(stream.handle, array.pointer); // enqueues work to the stream
   * array.recordUse(stream); // later work on the array waits for it
   * ```
   */
  recordUse(queue: BackendQueue): void {
    this.memory.assertLive('array');
    checkQueue(queue);
    this.memory.recordUse(queue);
  }

  /**
   * Returns a typed array over the array's own memory: both sides see each other's writes. Copies
   * and converts nothing. `dtype` names the dtype that the array has, and thereby the class of the
   * result.
   *
   * Settles once all work on the memory that is known at the time of the call has ended: this
   * library's, the producer's and consumers'. Does not block a thread. After enqueueing more work,
   * await it again before access.
   *
   * **Lifetime.** All typed arrays of a memory share one buffer and keep the memory alive.
   * Disposing the owner detaches the buffer, which leaves them without elements. Node's thread pool
   * may still hold their address at that moment, for `fs.read`, `crypto.randomFill` or zlib. Such
   * work continues and cannot touch anybody else's memory: the bytes are freed only once the
   * garbage collector has found the buffer and every typed array over it unreachable. Drop those
   * references, too, to free the bytes.
   *
   * **Transfer.** Another thread cannot get the buffer by transfer; sending it copies. What
   * `ArrayBuffer.prototype.transfer` returns outlives the array. It keeps memory that a backend
   * allocated, but not a producer. An array over JavaScript memory returns that very buffer, which
   * is never detached. From Node 24 on, a buffer for which `markAsUntransferable` was called is not
   * detached either, and keeps its bytes.
   *
   * **Device resets.** JavaScript accesses the address directly, so this library cannot intercept
   * an access. If other code in the process frees the memory, as `cuDevicePrimaryCtxReset` and
   * `cudaDeviceReset` do with CUDA's pinned and managed memory, the typed arrays keep their
   * address. An access then ends the process with a signal or reads other memory. The next call of
   * this library throws ERR_CUDA; dispose the array then, which detaches the buffer.
   *
   * Rejects with ERR_ARGUMENT if the array has another dtype than the one that is named, with
   * ERR_DISPOSED, ERR_READ_ONLY, ERR_MASK, ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, and with the error
   * of work that failed. Rejects with ERR_NOT_ACCESSIBLE for memory that this
   * process cannot access at any time, for an order other than C, for misaligned elements, and in a
   * Node without such buffers, such as Electron's. Use `toTypedArray` for a copy instead.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using values = await cuda.array([1, 2, 3], { dtype: 'float32', memoryKind: 'host' });
   * const elements = await values.asTypedArray({ dtype: 'float32' }); // a Float32Array
   * elements[0] = 10; // writes the array's own memory
   * console.log(await cuda.toTypedArray(values)); // Float32Array(3) [ 10, 2, 3 ]
   * ```
   */
  asTypedArray<Name extends keyof MappedArrays>(
    options: MapOptions & { readonly dtype: Name },
  ): Promise<MappedArrays[Name]>;
  /**
   * Returns a typed array over the array's own memory, whose class is known at run time only: the
   * array's dtype decides it. Does everything else as the call that names the dtype.
   */
  asTypedArray(options?: MapOptions): Promise<TypedArray>;
  asTypedArray(options: MapOptions = {}): Promise<TypedArray> {
    return this.backend.mapBuffer(this, options);
  }

  /**
   * Copies the elements into nested lists, one level for each axis; without axes, returns the
   * element itself.
   *
   * Numbers, bigints for 64-bit integers, booleans, `{ re, im }` for complex numbers, objects for
   * records. Dates and durations are bigints, text is strings, opaque elements are their bytes.
   * `dtype` converts as `copy` does. Waits as `toTypedArray` does. Rejects as `copy` does, and with
   * ERR_DTYPE_UNSUPPORTED for elements that JavaScript has no values for.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = await host.array([[1, 2], [3, 4]], { dtype: 'uint8' });
   * console.log(await image.transpose().toNested()); // [ [ 1, 3 ], [ 2, 4 ] ]
   * ```
   */
  async toNested(options: ReadOptions = {}): Promise<NestedElements> {
    return nested(await this.backend.readBack(this.descriptor, options));
  }

  /**
   * Copies the only element: the value that `toNested` has for it. Rejects with ERR_SHAPE_MISMATCH
   * unless there is exactly one, and as `toNested` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.array([1, 2, 3], { dtype: 'int64' });
   * console.log(await row.slice([-1]).item()); // 3n
   * ```
   */
  async item(options: ReadOptions = {}): Promise<ElementValue> {
    const { descriptor } = this;
    assertOne(descriptor);
    return onlyElement(await this.backend.readBack(descriptor, options));
  }

  /**
   * Returns the text that NumPy prints for the elements: digits, columns and `...` are the same.
   *
   * Copies the elements that are shown, once all work on them has ended; does not block a thread.
   * `threshold: Infinity` shows all. Floats that NumPy lacks are laid out as its float16. Elements
   * that the array's mask leaves out are `--`, and the others are laid out as in NumPy's masked
   * arrays, with all digits. Rejects with ERR_ARGUMENT, and as `toNested` does. `console.log` shows
   * the same elements without a wait if no work can be pending, and one line about the array if some
   * can, or if it has a mask.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = await host.array([[1, 0.5], [3, -4]], { dtype: 'float32' });
   * console.log(await image.toText());
   * // [[ 1.   0.5]
   * //  [ 3.  -4. ]]
   * ```
   */
  async toText(options: TextOptions = {}): Promise<string> {
    const { signal, ...given } = readOptions(options, TEXT);
    const limits = { ...USUAL_LIMITS, ...given };
    const { descriptor } = this;
    const part = shownPart(descriptor, limits);
    const wait = signal === undefined ? {} : { signal };
    const { backend } = this;
    if (descriptor.mask === null) {
      const read = await backend.readBack(part.elements, wait);
      return strText(descriptor, part, read.buffer as ArrayBuffer, limits);
    }
    const [read, valid] = await allEnded([
      backend.readBack(replace(part.elements, { mask: null }), wait),
      readMask(backend, descriptor.mask, descriptor.shape, limits, wait),
    ]);
    return maskedText(descriptor, part, read.buffer as ArrayBuffer, valid, limits);
  }

  /**
   * Returns what `JSON.stringify` and loggers write: the layout and where the memory lies, and no
   * elements. Copies nothing, does not wait, and never throws.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = host.empty([480, 640], 'uint8');
   * const { shape, dtype } = JSON.parse(JSON.stringify(image));
   * console.log(shape, dtype); // [ 480, 640 ] uint8
   * ```
   */
  toJSON(): ArrayMetadata {
    const { shape, byteStrides, dtype, nbytes, readOnly, disposed, memory } = this;
    return {
      array: classOf(this),
      dtype: dtype.fields === null ? (dtype.name ?? dtype.typestr) : toDescr(dtype),
      shape,
      byteStrides,
      nbytes,
      readOnly,
      memoryKind: memory.memoryKind,
      backend: memory.backend.name,
      pointer: disposed ? null : `0x${this.#descriptor.pointer.toString(16)}`,
      disposed,
    };
  }

  /**
   * Returns one line for logs: dtype, shape, kind of memory, order, and whether the memory still
   * exists.
   */
  toString(): string {
    const { name } = this.constructor;
    if (this.disposed) return `${name}(${shaped(this)}, disposed)`;
    const { memoryKind } = this.memory;
    const owner = this.base === null ? '' : ', a view';
    return `${name}(${summary(this.#descriptor)}, ${memoryKind} memory of ${this.backend.name}${owner})`;
  }

  /** As `Memory.is`: whether an object is an array of this copy of core. @internal */
  static is(value: object): value is BackendArray {
    return #descriptor in value;
  }

  static {
    const inspect = Symbol.for('nodejs.util.inspect.custom');
    const value = function (this: BackendArray, depth?: number | null): string {
      return print(this, typeof depth === 'number' && depth < 0);
    };
    Object.defineProperty(BackendArray.prototype, inspect, { value });
    const dispose = function (this: BackendArray): void {
      if (this.base !== null) throw notAnOwner();
      this.memory.end();
    };
    // Only owners have it as a type. Once for all, since arrays are made often.
    Object.defineProperty(BackendArray.prototype, 'dispose', { value: dispose });
    const give = function (this: BackendArray): ArrayCapsule {
      return this.memory.exportCapsule(this.descriptor);
    };
    Object.defineProperty(BackendArray.prototype, arrayCapsule, { value: give });
    const describe = function (this: BackendArray): DescribeItself | undefined {
      if (!(#descriptor in this)) return undefined; // a proxy
      return (path, isExported) => {
        this.memory.assertLive(path);
        if (!isExported) return this.#descriptor;
        const exported = this.exported();
        // another interface's dict names no queue, though the memory may have come with one
        const isQueueOwn = exported.syclobj === null || this.backend.protocol === 'sycl';
        return isQueueOwn ? exported : replace(exported, { syclobj: null });
      };
    };
    Object.defineProperty(BackendArray.prototype, describeBrand, { get: describe });
    // A Proxy of an array is not an array: it cannot reach the array's private fields.
    answersWithMemory(BackendArray.prototype, (array) =>
      #descriptor in array ? array.memory : null,
    );
  }

  private viewAs(descriptor: ArrayDescriptor): ArrayView<this> {
    return this.over(descriptor, this.base ?? this) as ArrayView<this>;
  }
}

/** What `console.log` shows: the elements if they are at rest and in reach, else one line. */
function print(array: BackendArray, isShort: boolean): string {
  const line = withFallback(() => array.toString(), 'BackendArray(unknown)');
  const elements = () =>
    printed(classOf(array), array.descriptor, (shown) => array.backend.peek(array.memory, shown));
  const values = isShort ? null : withFallback(elements, null);
  if (values !== null || isShort) return values ?? line;
  const isReadable = withFallback(() => array.descriptor.size >= 0, false);
  return isReadable ? `${line}; for its elements, await toText()` : line;
}

function classOf(array: BackendArray): string {
  return withFallback(() => String(array.constructor.name), 'BackendArray');
}

function notAnOwner(): ArrayInterfaceError {
  const cure = 'dispose its base, which ends all its views';
  return mismatch('ERR_ARGUMENT', 'array', 'an array that owns its memory', 'a view', cure);
}

/** Makes an owner disposable. A view is not disposable, so TypeScript rejects `using` for it. */
function ownMemory(array: BackendArray): void {
  Object.defineProperty(array, Symbol.dispose, { value: () => array.memory.end() });
}

/** What `JSON.stringify` writes for an array. Addresses are text, as JSON has no bigints. */
export interface ArrayMetadata {
  /** Name of the array's class. */
  readonly array: string;
  /** The dtype as functions accept it: a name, a typestr, or the fields of a record. */
  readonly dtype: string | Descr;
  /** Lengths of the axes. */
  readonly shape: readonly number[];
  /** Bytes from one element to the next along each axis. */
  readonly byteStrides: readonly number[];
  /** Size of a dense copy in bytes. */
  readonly nbytes: number;
  /** Whether the producer forbids writing. */
  readonly readOnly: boolean;
  /** Kind of memory. */
  readonly memoryKind: string;
  /** Name of the backend. */
  readonly backend: string;
  /** Address of the element with all-zero indices, as `0x…`. Null once disposed. */
  readonly pointer: string | null;
  /** Whether the owner of the memory has been disposed. */
  readonly disposed: boolean;
}

/** An object that exposes one of the three interfaces. */
export type Producer =
  | { readonly __cuda_array_interface__: object }
  | { readonly __sycl_usm_array_interface__: object }
  | { readonly __array_interface__: object };

/**
 * Everything that has a descriptor: an array, a descriptor, a producer, a proxy of one, a capsule
 * or an object that produces capsules, or JavaScript's own memory.
 */
export type ArrayLike =
  | BackendArray
  | ArrayDescriptor
  | Producer
  | ArrayProxy
  | ArrayProducer
  | ArrayCapsule
  | TypedArray
  | DataView
  | ArrayBufferLike;

/** The arrays that work enqueued by other code uses. */
export interface UsedArrays {
  /** Arrays that the work only reads. */
  readonly reads?: readonly ArrayLike[];
  /** Arrays that the work writes and may read. */
  readonly writes?: readonly ArrayLike[];
}

/**
 * The functions of a backend that make arrays of other arrays and of numbers, and read and write
 * elements by their indices: names and rules of the Python array API standard, in camel case. None
 * does arithmetic on elements. `O`: the options of `empty`.
 */
export interface ArrayFunctions<
  A extends BackendArray = BackendArray,
  O extends EmptyOptions = EmptyOptions,
> {
  /**
   * Returns a new array of zeros: numbers that are 0, false, empty texts, or records of these.
   *
   * Takes the options of `empty`, and rejects with what it throws. Settles once the work is
   * enqueued, which is the case when the call returns; the array's next use is ordered after it.
   * Blocks as `empty` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = await host.zeros([480, 640, 3], 'uint8');
   * console.log(image.shape); // [ 480, 640, 3 ]
   * ```
   */
  zeros(shape: readonly number[], dtype: DTypeLike, options?: O): Promise<OwnedArray<A>>;
  /**
   * Returns a new array of ones. Settles and blocks as `zeros` does. Rejects with what `empty`
   * throws, and with ERR_DTYPE_UNSUPPORTED for a dtype without numbers.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using weights = await host.ones([3], 'float32');
   * console.log(await host.toTypedArray(weights)); // Float32Array(3) [ 1, 1, 1 ]
   * ```
   */
  ones(shape: readonly number[], dtype: DTypeLike, options?: O): Promise<OwnedArray<A>>;
  /**
   * Returns a new array whose elements are all one value. Settles and blocks as `zeros` does.
   * Rejects with what `empty` throws. Rejects with ERR_TYPE, ERR_OVERFLOW or ERR_DTYPE_UNSUPPORTED
   * if the dtype cannot hold the value.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.full([3], 7, 'int16');
   * console.log(await host.toTypedArray(row)); // Int16Array(3) [ 7, 7, 7 ]
   * ```
   */
  full(
    shape: readonly number[],
    value: number | bigint | boolean,
    dtype: DTypeLike,
    options?: O,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns an uninitialised array with the shape and the dtype of another, in C order.
   *
   * If `array` is of this backend, the new memory belongs to the same device and context, unless an
   * option names another place. Reads no elements. Throws and blocks as `empty` does, and throws
   * what `array` rejects with for something that is no array.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = host.empty([480, 640], 'float32');
   * using copy = host.emptyLike(image, { dtype: 'uint8' });
   * console.log(copy.shape, copy.itemsize); // [ 480, 640 ] 1
   * ```
   */
  emptyLike(array: ArrayLike | NestedNumbers, options?: O & DTypeOption): OwnedArray<A>;
  /**
   * Returns a new array of zeros with the shape and the dtype of another, in C order, placed as by
   * `emptyLike`. Settles, blocks and rejects as `zeros` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = host.empty([2, 2], 'float32');
   * using zeros = await host.zerosLike(image);
   * console.log(await host.toTypedArray(zeros)); // Float32Array(4) [ 0, 0, 0, 0 ]
   * ```
   */
  zerosLike(array: ArrayLike | NestedNumbers, options?: O & DTypeOption): Promise<OwnedArray<A>>;
  /**
   * Returns a new array of ones with the shape and the dtype of another, in C order, placed as by
   * `emptyLike`. Settles, blocks and rejects as `ones` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = host.empty([2, 2], 'float32');
   * using ones = await host.onesLike(image);
   * console.log(await host.toTypedArray(ones)); // Float32Array(4) [ 1, 1, 1, 1 ]
   * ```
   */
  onesLike(array: ArrayLike | NestedNumbers, options?: O & DTypeOption): Promise<OwnedArray<A>>;
  /**
   * Returns a new array of one value with the shape and the dtype of another, in C order, placed as
   * by `emptyLike`. Settles, blocks and rejects as `full` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = host.empty([3], 'uint8');
   * using sevens = await host.fullLike(row, 7);
   * console.log(await host.toTypedArray(sevens)); // Uint8Array(3) [ 7, 7, 7 ]
   * ```
   */
  fullLike(
    array: ArrayLike | NestedNumbers,
    value: number | bigint | boolean,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns the numbers from `start` (default: 0) to before `stop`, in steps of `step` (default:
   * 1): ceil((stop - start) / step) of them.
   *
   * The dtype is float64, or int64 if one of the numbers is a bigint; bigints are exact. Floats are
   * NumPy's: the first two are rounded to the dtype, and number i is `first + i * (second -
   * first)`, so an array of fractional steps may end at `stop` or beyond it; `linspace` says how
   * many there are.
   *
   * Computes in JavaScript. Settles and blocks as `zeros` does. Rejects with what `empty` throws,
   * with ERR_ARGUMENT for a step of 0, with ERR_TYPE for fractions in an integer dtype, with
   * ERR_OVERFLOW for numbers that the dtype cannot hold, and with ERR_DTYPE_UNSUPPORTED for bool
   * and dtypes without numbers.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using numbers = await host.arange(2, 10, 3, { dtype: 'int32' });
   * console.log(await host.toTypedArray(numbers)); // Int32Array(3) [ 2, 5, 8 ]
   * ```
   */
  arange(stop: number | bigint, options?: O & DTypeOption): Promise<OwnedArray<A>>;
  /**
   * Returns the numbers from `start` (default: 0) to before `stop`, in steps of `step` (default:
   * 1): ceil((stop - start) / step) of them.
   *
   * The dtype is float64, or int64 if one of the numbers is a bigint; bigints are exact. Floats are
   * NumPy's: the first two are rounded to the dtype, and number i is `first + i * (second -
   * first)`, so an array of fractional steps may end at `stop` or beyond it; `linspace` says how
   * many there are.
   *
   * Computes in JavaScript. Settles and blocks as `zeros` does. Rejects with what `empty` throws,
   * with ERR_ARGUMENT for a step of 0, with ERR_TYPE for fractions in an integer dtype, with
   * ERR_OVERFLOW for numbers that the dtype cannot hold, and with ERR_DTYPE_UNSUPPORTED for bool
   * and dtypes without numbers.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using numbers = await host.arange(2, 10, 3, { dtype: 'int32' });
   * console.log(await host.toTypedArray(numbers)); // Int32Array(3) [ 2, 5, 8 ]
   * ```
   */
  arange(
    start: number | bigint,
    stop: number | bigint,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns the numbers from `start` (default: 0) to before `stop`, in steps of `step` (default:
   * 1): ceil((stop - start) / step) of them.
   *
   * The dtype is float64, or int64 if one of the numbers is a bigint; bigints are exact. Floats are
   * NumPy's: the first two are rounded to the dtype, and number i is `first + i * (second -
   * first)`, so an array of fractional steps may end at `stop` or beyond it; `linspace` says how
   * many there are.
   *
   * Computes in JavaScript. Settles and blocks as `zeros` does. Rejects with what `empty` throws,
   * with ERR_ARGUMENT for a step of 0, with ERR_TYPE for fractions in an integer dtype, with
   * ERR_OVERFLOW for numbers that the dtype cannot hold, and with ERR_DTYPE_UNSUPPORTED for bool
   * and dtypes without numbers.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using numbers = await host.arange(2, 10, 3, { dtype: 'int32' });
   * console.log(await host.toTypedArray(numbers)); // Int32Array(3) [ 2, 5, 8 ]
   * ```
   */
  arange(
    start: number | bigint,
    stop: number | bigint,
    step: number | bigint,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns `count` evenly spaced numbers from `start` to `stop`. The last one is exactly `stop`;
   * with `endpoint: false` it is one step before.
   *
   * The dtype is float64 by default. The numbers are computed as doubles in JavaScript, as NumPy
   * does it, and then converted; for integers they are rounded down. Settles and blocks as `zeros`
   * does. Rejects with what `empty` throws, with ERR_ARGUMENT, with ERR_OVERFLOW for numbers that an
   * integer dtype cannot hold, and with ERR_DTYPE_UNSUPPORTED for a dtype without numbers.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using marks = await host.linspace(0, 1, 5);
   * console.log(await host.toTypedArray(marks)); // Float64Array(5) [ 0, 0.25, 0.5, 0.75, 1 ]
   * ```
   */
  linspace(
    start: number,
    stop: number,
    count: number,
    options?: O & LinspaceOptions,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns a matrix of zeros with ones on a diagonal, by default the main one. It is square unless
   * `columns` is given, and float64 unless `dtype` is. Settles, blocks and rejects as `ones` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using matrix = await host.eye(2, 3, { k: 1, dtype: 'uint8' });
   * console.log(await host.toTypedArray(matrix)); // Uint8Array(6) [ 0, 1, 0, 0, 0, 1 ]
   * ```
   */
  eye(rows: number, options?: O & EyeOptions): Promise<OwnedArray<A>>;
  /**
   * Returns a matrix of zeros with ones on a diagonal, by default the main one. It is square unless
   * `columns` is given, and float64 unless `dtype` is. Settles, blocks and rejects as `ones` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using matrix = await host.eye(2, 3, { k: 1, dtype: 'uint8' });
   * console.log(await host.toTypedArray(matrix)); // Uint8Array(6) [ 0, 1, 0, 0, 0, 1 ]
   * ```
   */
  eye(rows: number, columns: number, options?: O & EyeOptions): Promise<OwnedArray<A>>;
  /**
   * Returns a new array of the arrays in a row, along an axis that they have, by default the first.
   * All other axes are of the same length. With `axis: null` it has the elements of all in C order,
   * and one axis.
   *
   * The dtype is the one that holds the values of all, as `resultType` of `core/numbers` says, or
   * `dtype`, as far as `casting` allows. Takes what `array` takes. Arrays of this backend are read
   * in order with all other work, JavaScript memory before the call returns; if an array is of
   * another backend, leave it alone until the promise settles.
   *
   * Settles as `copy` does and blocks as `empty` does. Rejects with what both reject with, with
   * ERR_SHAPE_MISMATCH for other shapes, and with ERR_ARGUMENT for no arrays or an axis that they
   * do not have.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * const top = new Float32Array([1, 2, 3]);
   * using bottom = await host.array([4, 5], { dtype: 'float32' });
   * using all = await host.concat([top, bottom]);
   * console.log(await host.toTypedArray(all)); // Float32Array(5) [ 1, 2, 3, 4, 5 ]
   * ```
   */
  concat(
    arrays: readonly (ArrayLike | NestedNumbers)[],
    options?: O & ConcatOptions,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns a new array of arrays of one shape, side by side along a new axis, by default the
   * first. Chooses the dtype, settles, blocks and rejects as `concat` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * const [red, green] = [new Uint8Array([1, 2]), new Uint8Array([3, 4])];
   * using pixels = await host.stack([red, green], { axis: -1 });
   * console.log(await host.toTypedArray(pixels)); // Uint8Array(4) [ 1, 3, 2, 4 ]
   * ```
   */
  stack(
    arrays: readonly (ArrayLike | NestedNumbers)[],
    options?: O & StackOptions,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns a view of each place along an axis, by default the first, without that axis. Copies
   * nothing. Takes arrays of every backend. Throws ERR_ARGUMENT, ERR_DISPOSED, ERR_MASK, and
   * ERR_OUT_OF_MEMORY for more than 2^24 views.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using pixels = host.empty([480, 640, 3], 'uint8');
   * const [red, green, blue] = host.unstack(pixels, { axis: -1 });
   * console.log(red?.shape, green?.shape, blue?.shape); // [ 480, 640 ] [ 480, 640 ] [ 480, 640 ]
   * ```
   */
  unstack<B extends BackendArray>(array: B, options?: AxisOption): ArrayView<B>[];
  /**
   * Returns a new array that repeats a whole array along each axis. If there are more repetitions
   * than axes, the array gets axes of length 1 in front; if there are fewer, the first axes are not
   * repeated.
   *
   * Takes what `array` takes. Settles as `copy` does and blocks as `empty` does. Rejects with what
   * both reject with, and with ERR_TYPE or ERR_NEGATIVE_DIMENSION for a repetition that is no
   * count.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.tile(new Uint8Array([1, 2]), [3]);
   * console.log(await host.toTypedArray(row)); // Uint8Array(6) [ 1, 2, 1, 2, 1, 2 ]
   * ```
   */
  tile(
    array: ArrayLike | NestedNumbers,
    repetitions: readonly number[],
    options?: O,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns a new array that repeats each element along an axis, or, without `axis`, each element
   * in C order: equally often, or as often as a list says that has a number for each.
   *
   * Takes what `array` takes. Settles as `copy` does and blocks as `empty` does. Rejects with what
   * both reject with, with ERR_TYPE or ERR_NEGATIVE_DIMENSION for a number that is no count, and
   * with ERR_SHAPE_MISMATCH for a list of another length. With a list it also rejects as `take`
   * does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.repeat(new Uint8Array([1, 2, 3]), [2, 0, 1]);
   * console.log(await host.toTypedArray(row)); // Uint8Array(3) [ 1, 1, 3 ]
   * ```
   */
  repeat(
    array: ArrayLike | NestedNumbers,
    repeats: number | readonly number[],
    options?: O & AxisOption,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns a new array whose elements are moved along an axis, or several; those that leave it
   * come back at its other end. Without `axis`, elements move in C order. A positive shift moves
   * them to higher indices. One shift is for all axes, a list has one for each.
   *
   * Takes what `array` takes. Settles as `copy` does and blocks as `empty` does. Rejects with what
   * both reject with, and with ERR_TYPE or ERR_ARGUMENT for shifts and axes that do not fit.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.roll(new Uint8Array([1, 2, 3, 4]), 1);
   * console.log(await host.toTypedArray(row)); // Uint8Array(4) [ 4, 1, 2, 3 ]
   * ```
   */
  roll(
    array: ArrayLike | NestedNumbers,
    shift: number | readonly number[],
    options?: O & RollOptions,
  ): Promise<OwnedArray<A>>;
  /**
   * Returns a new array of the elements at indices along an axis: `array[…, indices, …]`. The axes
   * of the indices take the place of that axis, which must be named unless it is the only one.
   *
   * Indices are integers, in an array of any shape or in lists; negative ones count from the end.
   * The host checks those that it can see before anything happens: in lists and in JavaScript
   * memory, and on the host all others, too. An index outside the axis is ERR_ARGUMENT with its
   * place as path: `indices[3]`. In the memory of a device an index is clamped to the axis instead.
   * No index leads outside the array.
   *
   * Takes what `array` takes, but no memory of another backend. On CUDA and SYCL it launches a
   * kernel, as `launch` does; backends without one compute in JavaScript. Settles as `copy` does
   * and blocks as `empty` does. Rejects with what both reject with, with ERR_TYPE for indices that
   * are no integers, and with ERR_NOT_ACCESSIBLE for memory of another backend or context.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using table = await host.array([[1, 2], [3, 4], [5, 6]], { dtype: 'uint8' });
   * using rows = await host.take(table, [2, 0, -1], { axis: 0 });
   * console.log(await host.toTypedArray(rows)); // Uint8Array(6) [ 5, 6, 1, 2, 5, 6 ]
   * ```
   */
  take(
    array: ArrayLike | NestedNumbers,
    indices: ArrayLike | NestedNumbers,
    options?: O & AxisOption,
  ): Promise<OwnedArray<A>>;
  /**
   * Writes values at indices along an axis: `array[…, indices, …] = values`. Unlike NumPy's `put`,
   * it flattens nothing: the axis must be named unless it is the only one. The values broadcast to
   * the shape that `take` returns for these indices, and are converted as far as `casting` allows.
   * Of equal indices, the last one in C order counts, on every backend.
   *
   * Indices are integers, in an array of any shape or in lists; negative ones count from the end.
   * The host checks those that it can see before anything happens: in lists and in JavaScript
   * memory, and on the host all others, too. An index outside the axis is ERR_ARGUMENT with its
   * place as path: `indices[3]`. In the memory of a device an index is clamped to the axis instead.
   * No index leads outside the array.
   *
   * Takes what `array` takes, but no memory of another backend; `array` is memory of this backend
   * that may be written. Everything is checked before anything is written. On CUDA and SYCL it
   * launches kernels, as `launch` does; backends without them compute in JavaScript, and later work
   * on the array waits. Settles as `copy` does.
   *
   * Rejects as `take` does, with ERR_READ_ONLY, ERR_MASK, ERR_SELF_OVERLAP or ERR_TOO_HARD for an
   * array that cannot be written, with ERR_SHAPE_MISMATCH and ERR_CASTING for the values, and with
   * ERR_OVERFLOW for 2^31 indices or more.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.zeros([5], 'uint8');
   * await host.put(row, [0, -1, 0], [1, 2, 3]);
   * console.log(await host.toTypedArray(row)); // Uint8Array(5) [ 3, 0, 0, 0, 2 ]
   * ```
   */
  put(
    array: ArrayLike,
    indices: ArrayLike | NestedNumbers,
    values: ArrayLike | NestedNumbers,
    options?: PutOptions,
  ): Promise<void>;
  /**
   * Returns a new array of the elements of `a` where the mask is true, and of `b` elsewhere. All
   * three broadcast to one shape. The mask is of bool, or of uint8, as JavaScript has it, where 0
   * is false.
   *
   * The dtype is the one that holds the values of both, as `resultType` of `core/numbers` says. A
   * single number beside an array takes the array's dtype; beside bools or, with a fraction, beside
   * integers it is int64 or float64. Takes what `array` takes, but no memory of another backend.
   *
   * On CUDA and SYCL it launches a kernel, as `launch` does; backends without one compute in
   * JavaScript. Settles as `copy` does and blocks as `empty` does. Rejects with what both reject
   * with, with ERR_TYPE for another mask, with ERR_SHAPE_MISMATCH, with ERR_OVERFLOW for a number
   * that the dtype cannot hold, and with ERR_NOT_ACCESSIBLE for memory of another backend or
   * context.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * const values = new Float32Array([1, -2, 3]);
   * const mask = new Uint8Array([1, 0, 1]);
   * using positive = await host.where(mask, values, 0);
   * console.log(await host.toTypedArray(positive)); // Float32Array(3) [ 1, 0, 3 ]
   * ```
   */
  where(
    mask: ArrayLike | NestedNumbers,
    a: ArrayLike | NestedNumbers,
    b: ArrayLike | NestedNumbers,
    options?: O,
  ): Promise<OwnedArray<A>>;
}

/**
 * The interface of every backend. A library written against core runs on each of them. An
 * application imports a backend's package and passes the object on; there is no registry.
 */
export interface Backend<A extends BackendArray = BackendArray>
  extends BackendIdentity,
    ArrayFunctions<A> {
  /**
   * Whether the backend can be used. Never throws. Loads the driver on first access, not at import.
   */
  readonly availability: Availability;
  /**
   * Returns the devices of the backend. Throws ERR_BACKEND_UNAVAILABLE.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * for (const { index, name, memory } of cuda.devices()) console.log(index, name, memory);
   * ```
   */
  devices(): readonly DeviceInfo[];
  /**
   * Returns what the backend knows about the memory at an address. Unknown memory is reported as
   * such, not as an error. Throws ERR_BACKEND_UNAVAILABLE, ERR_POINTER_RANGE.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using array = cuda.empty([4], 'float32');
   * console.log(cuda.inspectPointer(array.pointer).memoryKind); // device
   * ```
   */
  inspectPointer(pointer: bigint): PointerInfo;
  /**
   * Returns a new queue on a device, by default device 0. Dispose it after use. Throws
   * ERR_BACKEND_UNAVAILABLE, ERR_ARGUMENT if the device does not exist.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using queue = host.createQueue({ device: 0 });
   * using row = host.empty([3], 'float32');
   * await host.copy(row, new Float32Array([1, 2, 3]), { queue });
   * ```
   */
  createQueue(options?: { readonly device?: number }): BackendQueue;
  /**
   * Returns an uninitialised array, whose memory begins at a multiple of 64 bytes.
   *
   * If no memory is free but some is about to be, blocks the calling thread until it is, for at
   * most one second. Throws ERR_BACKEND_UNAVAILABLE, ERR_OUT_OF_MEMORY, ERR_ARGUMENT, ERR_OVERFLOW.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   * import { host } from '@array-interface/host';
   *
   * using image = host.empty([480, 640, 3], 'uint8');
   * using pinned = cuda.empty([1000], 'float32', { memoryKind: 'host' });
   * ```
   */
  empty(shape: readonly number[], dtype: DTypeLike, options?: EmptyOptions): OwnedArray<A>;
  /**
   * Copies numbers, typed arrays of one kind in lists, or an array of any backend, into new memory
   * like that of `empty`.
   *
   * Settles as `copy` does. Waits without limit for memory that is about to be free; does not block
   * a thread. JavaScript memory is read before the call returns, even then. A device's memory is
   * read only once there is room.
   *
   * Rejects as `copy` does and with what `empty` throws. Rejects with ERR_TYPE if a list contains
   * anything but numbers, or anything but typed arrays. Rejects with ERR_SHAPE_MISMATCH if lists
   * are ragged, with the path of the row, or if `shape` has another number of elements.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   * import { host } from '@array-interface/host';
   *
   * using image = await host.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' });
   * using rows = await host.array([new Float32Array(3), new Float32Array(3)]); // shape [2, 3]
   * using onDevice = await cuda.array(image); // from another backend
   * ```
   */
  array(
    source: ArrayLike | NestedNumbers | NestedRows,
    options?: ArrayOptions,
  ): Promise<OwnedArray<A>>;
  /**
   * Borrows a producer's memory, in its own layout or in another. Copies nothing.
   *
   * `shape`, `dtype`, strides and an offset view the bytes that the producer spans in another layout;
   * what a typed array or a buffer holds, but not what surrounds a part of it. Offsets count from its
   * element with all-zero indices, in bytes or in elements, and need not be aligned to the dtype.
   * No `bounds` lets a view leave these bytes.
   *
   * The memory may begin at any address, as JavaScript's own memory does. Keeps the producer alive
   * until the array is disposed, and orders work after the producer's stream.
   *
   * Borrowing this backend's own memory returns a second owner, which keeps the memory alive. So
   * does borrowing another backend's memory that this backend can access: the host borrows pinned,
   * host and shared memory. The host cannot wait for a device's queue, so pass `sync: 'none'` once
   * the work on the memory has ended.
   *
   * Throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS, ERR_STREAM, ERR_DISPOSED.
   * Another layout throws ERR_ARGUMENT, ERR_NOT_A_VIEW, ERR_MASK, and what readers throw for it.
   *
   * @example
   * ```ts
   * import type { CudaArrayInterface } from '@array-interface/core';
   * import { cuda } from '@array-interface/cuda';
   * import { host } from '@array-interface/host';
   *
   * declare const dict: CudaArrayInterface; // from Numba, CuPy or PyTorch
   * using view = host.asArray(new Float32Array([1, 2, 3])); // over the same bytes
   * const padded = new Uint8Array(480 * 2048); // rows of 640 pixels of 3 bytes, each padded to 2048
   * using image = host.asArray(padded, { shape: [480, 640, 3], byteStrides: [2048, 3, 1] });
   * using theirs = cuda.asArray({ __cuda_array_interface__: dict });
   * ```
   */
  asArray(producer: ArrayLike, options?: BorrowOptions): OwnedArray<A>;
  /**
   * Copies any layout into any other layout, broadcasting the source to the destination's shape.
   *
   * Converts numbers and swaps bytes as far as `casting` allows, with NumPy's results. A float that
   * an integer cannot hold becomes the nearest value that it can hold; NaN becomes 0. Other floats
   * lose their fraction, or are rounded with `rounding: 'nearest'`.
   *
   * - Between arrays of this backend, the work is enqueued when the call returns. The destination's
   *   next use is ordered after it.
   * - JavaScript memory is read before the call returns, and written before the promise settles.
   * - Between two backends, the copy has ended on both when the promise settles. Do not access
   *   either side until then.
   *
   * Does not block, except for at most one second if memory for a temporary is about to be free.
   * Rejects, before anything is written, with ERR_ARGUMENT, ERR_SHAPE_MISMATCH, ERR_CASTING,
   * ERR_READ_ONLY, ERR_MASK, ERR_SELF_OVERLAP or ERR_TOO_HARD, ERR_POINTER_UNKNOWN or ERR_DISPOSED.
   * The error of a copy that failed or was aborted half way has `bytesWritten`.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using target = host.empty([2, 3], 'float32');
   * await host.copy(target, new Float32Array([1, 2, 3])); // broadcasts to both rows
   * ```
   */
  copy(destination: ArrayLike, source: ArrayLike, options?: CopyOptions): Promise<void>;
  /**
   * Sets every element to one value. Settles and rejects as `copy` does, and also rejects if the
   * dtype cannot hold the value.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = host.empty([480, 640], 'float32');
   * await host.fill(image, 0);
   * ```
   */
  fill(
    destination: ArrayLike,
    value: number | bigint | boolean,
    options?: CopyOptions,
  ): Promise<void>;
  /**
   * Copies the elements, in C order and native byte order, into new JavaScript memory.
   *
   * Settles once the elements have been copied. Waits for pending work without blocking a thread.
   * `dtype` converts the elements as `copy` does. Without it, 16-bit floats become float32 if the
   * engine has no array for them. Rejects as `copy` does, and with ERR_DTYPE_UNSUPPORTED if no
   * typed array has the dtype.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using image = await host.array([[1, 2], [3, 4]], { dtype: 'uint8' });
   * const floats = await host.toTypedArray(image, { dtype: 'float32' }); // a Float32Array
   * ```
   */
  toTypedArray<Name extends keyof TypedArrays>(
    source: ArrayLike,
    options: CopyOptions & { readonly dtype: Name },
  ): Promise<TypedArrays[Name]>;
  /**
   * Copies the elements, in C order and native byte order, into new JavaScript memory. The dtype
   * decides the class of the typed array.
   *
   * Settles once the elements have been copied. Waits for pending work without blocking a thread.
   * Without `dtype`, 16-bit floats become float32 if the engine has no array for them. Rejects as
   * `copy` does, and with ERR_DTYPE_UNSUPPORTED if no typed array has the dtype.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.array([1, 2, 3], { dtype: 'float32' });
   * console.log(await host.toTypedArray(row)); // Float32Array(3) [ 1, 2, 3 ]
   * ```
   */
  toTypedArray(
    source: ArrayLike,
    options?: CopyOptions & { readonly dtype?: DTypeLike },
  ): Promise<TypedArray>;
  /**
   * Runs a kernel over arrays of this backend, in order with all other work on them.
   *
   * The kernel's parameters declare what it reads and what it writes. Arguments are passed by name.
   * They may be arrays of another library, as for `asArray`; they are kept alive while the work is
   * pending. Copies nothing.
   *
   * Settles once the work is enqueued. If the kernel is built, that is when the call returns. The
   * first launch on a device builds the kernel on another thread. Work requested meanwhile on the
   * launch's arrays, or on the queue that it names, is ordered after the launch, even if the build
   * fails. Interface dicts, capsules, tickets and events that would have to name the launch throw
   * ERR_PENDING. On the host, a JavaScript kernel has run when the promise settles; a C function
   * runs on threads of the backend. An error of running work is reported by the waits of the arrays
   * and of the queue.
   *
   * Rejects, before anything is enqueued, with ERR_KERNEL (no code for this backend; code that its
   * compiler rejects, or that takes other values), ERR_ARGUMENT, ERR_TYPE, ERR_OVERFLOW,
   * ERR_READ_ONLY, ERR_MASK, ERR_OVERLAP, ERR_SELF_OVERLAP, ERR_STRIDE_UNIT, ERR_NOT_ACCESSIBLE,
   * ERR_DISPOSED, and with what `asArray` throws.
   *
   * @example
   * ```ts
   * import { defineKernel } from '@array-interface/core/kernel';
   * import { host } from '@array-interface/host';
   *
   * const scale = defineKernel({
   *   name: 'scale',
   *   parameters: { values: { write: 'float32' }, factor: 'float32' },
   *   code: {
   *     host: {
   *       javascript({ values, factor }, [count = 0]) {
   *         for (let i = 0; i < count; i++) values[i]! *= factor;
   *       },
   *     },
   *   },
   * });
   * using values = await host.array([1, 2, 3], { dtype: 'float32' });
   * await host.launch(scale, { range: [3] }, { values, factor: 2 });
   * console.log(await host.toTypedArray(values)); // Float32Array(3) [ 2, 4, 6 ]
   * ```
   */
  launch<P extends Parameters>(
    kernel: Kernel<P>,
    options: LaunchOptions,
    values: KernelArguments<P, ArrayLike>,
  ): Promise<void>;
  /**
   * Orders work that you enqueue by other means, such as cuBLAS or your own addon. Copies nothing.
   *
   * `enqueue` is called once `queue` waits for all earlier work on the arrays. If the backend has
   * queues and no earlier work waits for a kernel that is being built, it is called before this
   * call returns. On CUDA, the queue's context is current during the call.
   *
   * Later work on the arrays then waits for what the queue has received, even if `enqueue` throws.
   * If `enqueue` returns a promise, that happens when the promise settles; do not access the arrays
   * until then. What `enqueue` requests from this backend on these arrays before it returns is
   * ordered before everything requested after this call. That also holds on the host, which may
   * call `enqueue` later. The arrays are kept alive while the work is pending.
   *
   * Settles with what `enqueue` returns. Rejects with what it throws, and as `launch` does for the
   * arrays and the queue.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * declare function scale(stream: bigint, values: bigint): void; // of your addon
   * using values = await cuda.array([1, 2, 3], { dtype: 'float32' });
   * using stream = cuda.createStream();
   * await cuda.use(stream, { writes: [values] }, ({ handle }) => scale(handle, values.pointer));
   * ```
   */
  use<T, Q extends BackendQueue>(
    queue: Q,
    arrays: UsedArrays,
    enqueue: (queue: Q) => T | Promise<T>,
  ): Promise<T>;
  /**
   * Returns whether all numbers of two arrays are close: |a - b| ≤ atol + rtol × |b|. NaN is
   * close to nothing unless `equalNaN` is set; infinities are close to themselves.
   *
   * The shapes broadcast; lists of numbers count as float64, unless they have bigints or booleans.
   * Computes on the calling thread, as NumPy's `allclose` does, float32 in float32; copies both
   * arrays into JavaScript memory first, from any backend, and waits for them as `toTypedArray`
   * does. Floats that NumPy lacks are compared as float32. Rejects with ERR_SHAPE_MISMATCH,
   * ERR_ARGUMENT, ERR_DTYPE_UNSUPPORTED for anything but numbers, and as `copy` does.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = await host.array([1, 2, 3], { dtype: 'float32' });
   * console.log(await host.allClose(row, [1, 2, 3.00001])); // true
   * console.log(await host.allClose(row, row.flip(), { atol: 1 })); // false
   * ```
   */
  allClose(
    a: ArrayLike | NestedNumbers,
    b: ArrayLike | NestedNumbers,
    options?: AllCloseOptions,
  ): Promise<boolean>;
  /** Implements `BackendArray.asTypedArray`. @internal */
  mapBuffer(array: BackendArray, options: MapOptions): Promise<TypedArray>;
  /**
   * Copies elements into new JavaScript memory, dense and in C order, in any dtype. @internal
   */
  readBack(array: ArrayDescriptor, options: ReadOptions): Promise<ArrayDescriptor>;
  /** Implements what `console.log` shows. Null if elements may be being written. @internal */
  peek(memory: Memory, array: ArrayDescriptor): ArrayBuffer | null;
  /**
   * Settles once all work on all queues of this backend has ended. Does not block a thread. Rejects
   * with the error of work that failed, or with the reason of `options.signal`.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using row = host.empty([3], 'float32');
   * void host.copy(row, new Float32Array([1, 2, 3]));
   * await host.synchronize(); // no work of this backend is pending any more
   * ```
   */
  synchronize(options?: WaitOptions): Promise<void>;
  /**
   * Settles once every kernel that copies and launches have requested so far is built, or
   * immediately if there is none. Does not block a thread. To avoid the delay of a build later,
   * make one copy of each kind and await this.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using matrix = cuda.empty([3, 2], 'float32');
   * using turned = cuda.empty([2, 3], 'float32');
   * const copied = cuda.copy(turned, matrix.transpose()); // starts the builds that it needs
   * await cuda.whenKernelsReady();
   * await copied;
   * ```
   */
  whenKernelsReady(options?: WaitOptions): Promise<void>;
}

/** Returns the backend that made a memory. */
export function backendOf(memory: Memory): Backend {
  return memory.backend as Backend;
}
