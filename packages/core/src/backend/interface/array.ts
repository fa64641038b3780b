/// <reference lib="esnext.disposable" preserve="true" />
import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import type { ByteStrides, ElementStrides } from '../../descriptor/strides.js';
import { shaped, summary } from '../../descriptor/summary.js';
import type { DType, DTypeLike } from '../../dtype/dtype.js';
import { abortable } from '../../input/abort.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { KernelArguments, Parameters } from '../../kernel/parameter.js';
import type { NestedNumbers } from '../../numbers/plain-array.js';
import type { TypedArray, TypedArrays } from '../../numbers/typed-array.js';
import { broadcastTo } from '../../views/broadcast.js';
import { field } from '../../views/field.js';
import { flip, permuteDims, transpose } from '../../views/permute-dims.js';
import { expandDims, reshape, squeeze } from '../../views/reshape.js';
import { type SliceRange, slice } from '../../views/slice.js';
import { view } from '../../views/view.js';
import { type ArrayCapsule, type ArrayProducer, arrayCapsule } from './capsule.js';
import type { Availability, DeviceInfo, PointerInfo } from './device.js';
import { answersWithMemory, type BackendIdentity, type Memory } from './memory.js';
import type {
  ArrayOptions,
  BorrowOptions,
  CopyOptions,
  EmptyOptions,
  LaunchOptions,
} from './options.js';
import type { ArrayProxy } from './producer.js';
import { type BackendQueue, checkQueue, readSignal, type WaitOptions } from './queue.js';

/**
 * An array that allocated or borrowed its memory, and so owns it. Disposing it ends the memory
 * under all its views.
 */
export type OwnedArray<A extends BackendArray> = A & Disposable;

/** The type of an array's views: arrays of its class that cannot be disposed. */
export type ArrayView<A extends BackendArray> = A extends (infer B extends BackendArray) &
  Disposable
  ? B
  : A;

/**
 * Every array gives capsules, each for one addon, and good for one use; see `@array-interface/abi`.
 * A capsule names pending work as the interface dict does, and what its consumer enqueues comes
 * before our later work. The memory lives until the consumer has ended it, also when the array was
 * disposed of. Making one copies nothing and does not wait. It throws ERR_DISPOSED, ERR_PENDING, ERR_MASK,
 * ERR_DTYPE_UNSUPPORTED, ERR_STRIDE_UNIT, and ERR_NOT_ACCESSIBLE for JavaScript's own memory.
 */
export interface BackendArray extends ArrayProducer {}

/**
 * An array of a backend: a descriptor and the memory behind it. A function that allocates or
 * borrows gives an owner, to be disposed. A view names its owner as `base`, keeps it from being
 * collected and ends nothing. After the owner's end, `pointer`, `descriptor` and every operation
 * throw ERR_DISPOSED, on the owner and on its views.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: types of computed names come from interfaces alone
export abstract class BackendArray {
  /** What stands behind it and all its views. */
  readonly memory: Memory;
  /** The array that owns the memory of this view, as NumPy's `base`. Null for the owner itself. */
  readonly base: OwnedArray<BackendArray> | null;
  readonly #descriptor: ArrayDescriptor;

  constructor(memory: Memory, descriptor: ArrayDescriptor, base: BackendArray | null) {
    this.memory = memory;
    this.base = base as OwnedArray<BackendArray> | null;
    this.#descriptor =
      descriptor.owner === memory ? descriptor : replace(descriptor, { owner: memory });
    if (base === null) ownMemory(this);
  }

  /** A view of the same class over the same memory. */
  protected abstract over(descriptor: ArrayDescriptor, base: BackendArray): BackendArray;

  /** The backend that allocated or borrowed the memory. */
  get backend(): Backend {
    return backendOf(this.memory);
  }

  /** Layout and dtype. Its owner is the memory. Throws ERR_DISPOSED. */
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

  /** What one element is. */
  get dtype(): DType {
    return this.#descriptor.dtype;
  }

  /** Bytes of one element. */
  get itemsize(): number {
    return this.#descriptor.itemsize;
  }

  /** `size` times `itemsize`: the bytes that a dense copy takes. */
  get nbytes(): number {
    return this.#descriptor.nbytes;
  }

  /** Bytes from one element to the next, for each axis. */
  get byteStrides(): ByteStrides {
    return this.#descriptor.byteStrides;
  }

  /** `byteStrides` in elements; null as a whole where one is not a whole number of elements. */
  get elementStrides(): ElementStrides | null {
    return this.#descriptor.elementStrides;
  }

  /** Whether the elements lie densely in C order, in Fortran order, or both. */
  get contiguous(): { readonly c: boolean; readonly f: boolean } {
    return this.#descriptor.contiguous;
  }

  /** Address of the element with all-zero indices. Throws ERR_DISPOSED. */
  get pointer(): bigint {
    return this.descriptor.pointer;
  }

  /** Whether its producer forbids writing. */
  get readOnly(): boolean {
    return this.#descriptor.readOnly;
  }

  /** Whether the owner of the memory was disposed. */
  get disposed(): boolean {
    return this.memory.ended;
  }

  /** A view of part of each axis; see `slice`. Does not copy. */
  slice(ranges: readonly SliceRange[]): ArrayView<this> {
    return this.viewAs(slice(this.descriptor, ranges));
  }

  /** A view with the axes in another order; see `permuteDims`. Does not copy. */
  permuteDims(axes: readonly number[]): ArrayView<this> {
    return this.viewAs(permuteDims(this.descriptor, axes));
  }

  /** A view with the axes in reverse; see `transpose`. Does not copy. */
  transpose(): ArrayView<this> {
    return this.viewAs(transpose(this.descriptor));
  }

  /** A view with one or several axes reversed; see `flip`. Does not copy. */
  flip(axes?: number | readonly number[]): ArrayView<this> {
    return this.viewAs(flip(this.descriptor, axes));
  }

  /** A view in another shape, or ERR_NOT_A_VIEW; see `reshape`. Does not copy. */
  reshape(shape: readonly number[], options?: { readonly order?: 'C' | 'F' }): ArrayView<this> {
    return this.viewAs(reshape(this.descriptor, shape, options));
  }

  /** A read-only view repeated to a shape; see `broadcastTo`. Does not copy. */
  broadcastTo(shape: readonly number[]): ArrayView<this> {
    return this.viewAs(broadcastTo(this.descriptor, shape));
  }

  /** A view with new axes of length 1; see `expandDims`. Does not copy. */
  expandDims(axes: number | readonly number[]): ArrayView<this> {
    return this.viewAs(expandDims(this.descriptor, axes));
  }

  /** A view without axes of length 1; see `squeeze`. Does not copy. */
  squeeze(axes: number | readonly number[]): ArrayView<this> {
    return this.viewAs(squeeze(this.descriptor, axes));
  }

  /** A view of one field of a record; see `field`. Does not copy. */
  field(...names: readonly string[]): ArrayView<this> {
    return this.viewAs(field(this.descriptor, ...names));
  }

  /** A view of the same bytes as another dtype; see `view`. Does not copy. */
  view(dtype: DTypeLike): ArrayView<this> {
    return this.viewAs(view(this.descriptor, dtype));
  }

  /** Settles when all our work on this memory has ended; holds no thread. Rejects with ERR_DISPOSED. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    const signal = readSignal(options);
    this.memory.assertLive('array');
    await abortable(this.memory.synchronize(), signal);
  }

  /**
   * Notes that other code gave `queue` work on this array, as if we had. Later work is ordered after
   * all that the queue has now, and the memory lives until that has ended. Does not wait;
   * `Backend.use` also orders that work after earlier work. Throws ERR_DISPOSED, ERR_ARGUMENT for
   * what is no queue of the backend, and the backend's errors.
   */
  recordUse(queue: BackendQueue): void {
    this.memory.assertLive('array');
    checkQueue(queue);
    this.memory.recordUse(queue);
  }

  /**
   * The elements in place, as a typed array over their own memory: both sides see writes. Settles
   * when all work on the memory has ended that is known by now: ours, the producer's, consumers';
   * holds no thread. Where more work follows, await it again before you look or write.
   *
   * All typed arrays of a memory have one buffer, and keep the memory. When the owner is disposed, the
   * buffer is detached, and they have no elements any more. But Node's thread pool may still have
   * their address, as for `fs.read`, `crypto.randomFill` and zlib. Such work goes on, and hurts nobody
   * else's memory: the bytes go back only when the garbage collector has found that nobody has the
   * buffer or a typed array over it, so let go of those too. Another thread cannot get the buffer by
   * transfer; sending it copies. What `ArrayBuffer.prototype.transfer` makes of it outlives the array: it keeps memory
   * that a backend allocated, but no producer. An array over JavaScript memory gives that very
   * buffer, which is never detached.
   *
   * JavaScript reads and writes the address itself, so nothing of ours can refuse a look. Where other
   * code in the process takes the memory away, as `cuDevicePrimaryCtxReset` and `cudaDeviceReset` do
   * with CUDA's pinned and managed memory, the typed arrays stay as they are: a look at one ends the
   * process with a signal, or finds other memory. The next call of ours gives ERR_CUDA; dispose of the
   * array then, which detaches the buffer.
   *
   * Rejects with ERR_DISPOSED, ERR_READ_ONLY, ERR_MASK, ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER, and
   * with ERR_NOT_ACCESSIBLE for memory that this process does not reach at any time, an order other
   * than C, elements that are not aligned, and a Node that makes no such buffer, as Electron: copy
   * with `toTypedArray`. Rejects as the work did that failed.
   */
  asTypedArray(options: WaitOptions = {}): Promise<TypedArray> {
    return this.backend.expose(this, options);
  }

  /** One line for logs: dtype, shape, where it lies, order, and whether its memory is still there. */
  toString(): string {
    const { name } = this.constructor;
    if (this.disposed) return `${name}(${shaped(this)}, disposed)`;
    const { memoryKind } = this.memory;
    const owner = this.base === null ? '' : ', a view';
    return `${name}(${summary(this.#descriptor)}, ${memoryKind} memory of ${this.backend.name}${owner})`;
  }

  static {
    const inspect = Symbol.for('nodejs.util.inspect.custom');
    const value = function (this: BackendArray): string {
      return this.toString();
    };
    Object.defineProperty(BackendArray.prototype, inspect, { value });
    const give = function (this: BackendArray): ArrayCapsule {
      return this.memory.giveCapsule(this.descriptor);
    };
    Object.defineProperty(BackendArray.prototype, arrayCapsule, { value: give });
    // A Proxy of an array is none: what is private of an array cannot be had through it.
    answersWithMemory(BackendArray.prototype, (array) =>
      #descriptor in array ? array.memory : null,
    );
  }

  private viewAs(descriptor: ArrayDescriptor): ArrayView<this> {
    return this.over(descriptor, this.base ?? this) as ArrayView<this>;
  }
}

/** Makes an owner disposable. A view is not, so TypeScript refuses `using` for it. */
function ownMemory(array: BackendArray): void {
  Object.defineProperty(array, Symbol.dispose, { value: () => array.memory.end() });
}

/** An object that exposes one of the three interfaces. */
export type Producer =
  | { readonly __cuda_array_interface__: object }
  | { readonly __sycl_usm_array_interface__: object }
  | { readonly __array_interface__: object };

/**
 * Everything that has a descriptor: an array, a descriptor, a producer, what stands for one, a capsule
 * or what gives one, or JavaScript's own memory.
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

/** The arrays that others' work uses. */
export interface UsedArrays {
  /** Those that it only reads. */
  readonly reads?: readonly ArrayLike[];
  /** Those that it writes, and may read. */
  readonly writes?: readonly ArrayLike[];
}

/**
 * What every backend can do, so that a library written against core runs on each. An application
 * imports a backend's package and passes the object on; there is no registry.
 */
export interface Backend<A extends BackendArray = BackendArray> extends BackendIdentity {
  /**
   * Whether the backend can be used. Never throws. Loads the driver when it is first read, not at
   * import.
   */
  readonly availability: Availability;
  /** Throws ERR_BACKEND_UNAVAILABLE. */
  devices(): readonly DeviceInfo[];
  /**
   * What is behind a pointer; unknown memory is an answer, too. Throws ERR_BACKEND_UNAVAILABLE,
   * ERR_POINTER_RANGE.
   */
  inspectPointer(pointer: bigint): PointerInfo;
  /** Throws ERR_BACKEND_UNAVAILABLE, ERR_ARGUMENT for a device that does not exist. */
  createQueue(options?: { readonly device?: number }): BackendQueue;
  /**
   * Uninitialised memory, which begins at a multiple of 64 bytes. Where none is free but some is on
   * its way back, waits for that on the calling thread, at most a second. Throws ERR_OUT_OF_MEMORY,
   * ERR_ARGUMENT, ERR_OVERFLOW.
   */
  empty(shape: readonly number[], dtype: DTypeLike, options?: EmptyOptions): OwnedArray<A>;
  /**
   * Copies numbers or an array of any backend into new memory like that of `empty`; settles as `copy`
   * does. Waits for memory on its way back as long as it takes, and holds no thread. Even then it
   * reads JavaScript memory before the call returns; it reads a device's memory only when there is
   * room. Rejects as `copy` does and with what `empty` throws, with ERR_TYPE for lists of other things
   * than numbers, and with ERR_SHAPE_MISMATCH for ragged lists and where `shape` has another number of
   * elements.
   */
  array(source: ArrayLike | NestedNumbers, options?: ArrayOptions): Promise<OwnedArray<A>>;
  /**
   * Borrows a producer's memory without a copy. It may begin at any address, as JavaScript's own
   * memory does. Keeps the producer until the array is disposed, and orders work after its stream.
   * Memory of this backend gives a loan: an owner of its own, which keeps the memory. So does another
   * backend's that this one reaches: the host takes pinned, host and shared memory, with `sync: 'none'`
   * once the work on it has ended, since it cannot wait for a device's queue. Throws
   * ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE, ERR_OUT_OF_BOUNDS, ERR_STREAM, ERR_DISPOSED.
   */
  asArray(producer: ArrayLike, options?: BorrowOptions): OwnedArray<A>;
  /**
   * Copies any layout into any other, broadcasting the source. Converts numbers and swaps bytes as
   * far as `casting` allows, with NumPy's results; a float that an integer cannot hold becomes the
   * nearest that it can, and NaN becomes 0.
   *
   * - Between arrays of this backend the work is enqueued when the call returns, and the
   *   destination's next use is ordered after it.
   * - JavaScript memory is read before the call returns, and written before the promise settles.
   * - Between two backends the copy has ended on both when the promise settles; leave both sides
   *   alone until then.
   *
   * Rejects, before anything is written, with ERR_ARGUMENT, ERR_SHAPE_MISMATCH, ERR_CASTING,
   * ERR_READ_ONLY, ERR_MASK, ERR_SELF_OVERLAP or ERR_TOO_HARD, ERR_POINTER_UNKNOWN or ERR_DISPOSED.
   * The error of a failure or an abort half way has `bytesWritten`.
   */
  copy(destination: ArrayLike, source: ArrayLike, options?: CopyOptions): Promise<void>;
  /** Sets every element. Settles and rejects as `copy` does. */
  fill(
    destination: ArrayLike,
    value: number | bigint | boolean,
    options?: CopyOptions,
  ): Promise<void>;
  /**
   * The elements in C order in new JavaScript memory, in native byte order. Waits for pending work
   * without holding a thread. `dtype` converts them as `copy` does. Without it, floats of 16 bits
   * become float32 where the engine has no array of them. Rejects as `copy` does, and with
   * ERR_DTYPE_UNSUPPORTED where no typed array has the dtype.
   */
  toTypedArray<Name extends keyof TypedArrays>(
    source: ArrayLike,
    options: CopyOptions & { readonly dtype: Name },
  ): Promise<TypedArrays[Name]>;
  /** The same in whichever typed array the dtype has. */
  toTypedArray(
    source: ArrayLike,
    options?: CopyOptions & { readonly dtype?: DTypeLike },
  ): Promise<TypedArray>;
  /**
   * Runs a kernel over arrays of this backend, in the order of all other work on them: what it reads
   * and what it writes stands in its parameters. Arguments are given by name. Arrays may be of
   * another library, as in `asArray`; they are kept while the work is pending.
   *
   * Settles when the work is enqueued, which it is when the call returns, once the kernel is built.
   * The first launch on a device builds it on another thread. What is asked for meanwhile comes after
   * it, also where the build fails: work on its arrays, and on the queue that it names. Interface
   * dicts, capsules, tickets and events that would have to name it throw ERR_PENDING. The host runs JavaScript before it settles, and C functions on threads of its own.
   * Copies nothing. An error of work under way comes from the arrays' and the queue's waits.
   *
   * Rejects, before anything is enqueued, with ERR_KERNEL (no code for this backend; code that its
   * compiler refuses, or that takes other values), ERR_ARGUMENT, ERR_TYPE, ERR_OVERFLOW,
   * ERR_READ_ONLY, ERR_MASK, ERR_OVERLAP, ERR_SELF_OVERLAP, ERR_STRIDE_UNIT, ERR_NOT_ACCESSIBLE,
   * ERR_DISPOSED, and as `asArray` throws.
   */
  launch<P extends Parameters>(
    kernel: Kernel<P>,
    options: LaunchOptions,
    values: KernelArguments<P, ArrayLike>,
  ): Promise<void>;
  /**
   * Orders work that you enqueue by other means, as with cuBLAS or an addon of your own. `enqueue` is
   * called when `queue` waits for all earlier work on the arrays, before this call returns where the
   * backend has queues and no earlier work waits for a kernel that is being built. On CUDA the queue's context is current meanwhile. Then later work on the
   * arrays waits for what the queue has got, also where `enqueue` throws. Where it gives a promise,
   * that is when the promise settles, and until then you leave the arrays alone. What `enqueue` asks
   * this backend for on these arrays before it returns comes before all that is asked for after this
   * call, also on the host, which may call it late. The arrays are kept
   * while the work is pending. Gives what `enqueue` gives. Copies nothing. Rejects with what it
   * throws, and as `launch` does for the arrays and the queue.
   */
  use<T, Q extends BackendQueue>(
    queue: Q,
    arrays: UsedArrays,
    enqueue: (queue: Q) => T | Promise<T>,
  ): Promise<T>;
  /** Does what `BackendArray.asTypedArray` says. @internal */
  expose(array: BackendArray, options: WaitOptions): Promise<TypedArray>;
  /** Settles when all work on all queues of this backend has ended; holds no thread. */
  synchronize(options?: WaitOptions): Promise<void>;
  /**
   * Settles when all kernels are built that copies and launches have asked for up to now; at once
   * where there are none. Code that has to be fast later makes a copy of each kind and waits for this.
   */
  whenKernelsReady(options?: WaitOptions): Promise<void>;
}

/** The backend that made a memory. */
export function backendOf(memory: Memory): Backend {
  return memory.backend as Backend;
}
