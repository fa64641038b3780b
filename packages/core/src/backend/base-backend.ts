import { BackendFunctions } from '../arrays/array-functions.js';
import { ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import type { DTypeLike } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { abortable, throwIfAborted } from '../input/abort.js';
import { allEnded } from '../input/all-ended.js';
import { badArgument } from '../input/argument.js';
import { entryOf, lengthOf } from '../input/dict.js';
import { readOptions } from '../input/options.js';
import type { Kernel } from '../kernel/kernel.js';
import type { KernelArguments, Parameters } from '../kernel/parameter.js';
import { allClose, assertNumbers, USUAL_TOLERANCE } from '../numbers/all-close.js';
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
import { gatherRows, type NestedRows } from '../plan/gather-rows.js';
import { exposes, readProducer, withFlag } from '../protocols/from-producer.js';
import type { BackendProtocol } from '../protocols/protocol.js';
import { broadcastNamed } from '../views/broadcast.js';
import { relayout } from '../views/relayout.js';
import { TIMEOUT_MS } from './access/deadline.js';
import {
  claimed,
  describeImported,
  describeOwn,
  describeSource,
  verified,
} from './access/describe-source.js';
import { layoutFor, makeArray, makeArrayFor } from './access/make-array.js';
import { mapBuffer } from './access/map.js';
import { peek } from './access/peek.js';
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
import { BackendAdvice } from './interface/instead-of-own-array.js';
import { ALL_CLOSE, copyOptionsForOthers, KnownOptions } from './interface/known-options.js';
import { assertOwn, type Memory, memoryOf, notOwn } from './interface/memory.js';
import type {
  AllCloseOptions,
  ArrayOptions,
  BorrowOptions,
  CopyOptions,
  EmptyOptions,
  LaunchOptions,
  MapOptions,
  ReadOptions,
} from './interface/options.js';
import { resolveProxy } from './interface/producer.js';
import { type BackendQueue, checkQueue, readSignal, type WaitOptions } from './interface/queue.js';
import { CheckedLaunch } from './launch/checked-launch.js';
import { USED_ARRAYS, type UsedArray, use } from './launch/use.js';
import { afterDeferred, waitingOf } from './order/deferred-work.js';

/**
 * The public side of a backend over its driver. Reads options, describes and checks arguments, and
 * calls the functions that work with drivers. A backend adds its devices and its queues.
 */
export abstract class BaseBackend<
    A extends BackendArray,
    D extends Driver<A> = Driver<A>,
    C extends CopyOptions = CopyOptions,
    O extends EmptyOptions = EmptyOptions,
  >
  extends BackendFunctions<A, O>
  implements Backend<A>
{
  /** `cuda`, `sycl`, `host`, or the name of another backend. */
  abstract readonly name: string;
  /** The interface that its arrays expose. Null: none. */
  abstract readonly protocol: BackendProtocol;
  /**
   * Whether the backend can be used, and what to do if not. Never throws. Loads the driver on first
   * access.
   */
  abstract readonly availability: Availability;
  /** The driver that does the work. */
  protected readonly driver: D;
  readonly #known: KnownOptions;

  /**
   * `makeDriver` receives this backend, which owns the driver's memory. It must not use the backend
   * yet.
   */
  constructor(makeDriver: (backend: Backend<A>) => D) {
    super();
    this.driver = makeDriver(this);
    this.#known = new KnownOptions(this.driver.ownOptions);
    registerDriver(this, this.driver);
  }

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
  abstract devices(): readonly DeviceInfo[];
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
  abstract inspectPointer(pointer: bigint): PointerInfo;
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
  abstract createQueue(options?: { readonly device?: number }): BackendQueue;
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
  abstract synchronize(options?: WaitOptions): Promise<void>;
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
  abstract whenKernelsReady(options?: WaitOptions): Promise<void>;

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
  empty(shape: readonly number[], like: DTypeLike, given: EmptyOptions = {}): OwnedArray<A> {
    const options = readOptions(given, this.#known.empty);
    const layout = relativeLayout(shape, dtype(like), options.byteStrides);
    return makeArray(this.driver, layout, options, TIMEOUT_MS);
  }

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
  async array(
    source: ArrayLike | NestedNumbers | NestedRows,
    given: ArrayOptions & Partial<C> = {},
  ): Promise<OwnedArray<A>> {
    const options = readOptions(given, this.#known.array);
    const rows = gatherRows(source);
    const isPlain = rows === null && isPlainData(source);
    const from = isPlain
      ? plainArray(source, options.dtype, options)
      : (rows ??
        describeSource(source as ArrayLike, this.protocol, this.driver, 'source', this.name));
    const layout = layoutFor(from, options);
    const allocation = makeArrayFor(this.driver, layout, from, options);
    const { made, source: read } = allocation instanceof Promise ? await allocation : allocation;
    try {
      const chosen = this.#known.copyOptionsOf(options);
      // numbers in lists were checked as they were written
      const copying: CopyOptions = isPlain ? { ...chosen, casting: 'same_kind' } : chosen;
      await copyReshaped(this, made.descriptor, read, options, copying);
      return made;
    } catch (error) {
      made[Symbol.dispose]();
      throw error;
    }
  }

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
    const { protocol } = this;
    const isExposed = () => protocol !== null && exposes(read, protocol);
    if (own !== null && lender !== null && !isExposed()) {
      return this.#borrowFrom(lender, own, options);
    }
    const taken = own === null ? describeImported(read, this.driver, options) : null;
    if (taken !== null) return this.#borrow(withFlag(taken, options.readOnly), options);
    const wanted = protocol === null ? {} : { protocol };
    const advice = new BackendAdvice(this.name);
    const described = readProducer(read, { ...readOnly, ...wanted }, 'producer', advice);
    if (own === null) {
      const claim = this.#verified(described, read);
      if (claim !== described) return this.#borrow(claim, options);
    }
    const array = this.resolve(described);
    const memory = memoryOf(array.owner);
    if (memory === null) return this.#borrow(array, options);
    assertOwn(this, memory, 'producer');
    return this.wrap(memory, relayout(array, options));
  }

  // Not async: most copies have nothing to wait for, and the bookkeeping of an async function costs
  // a short copy as much as its checks.
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
  copy(destination: ArrayLike, source: ArrayLike, options?: C): Promise<void> {
    try {
      const read = options === undefined ? {} : readOptions(options, this.#known.copy);
      return this.copyNow(destination, source, read as C) ?? Promise.resolve();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Copies with options that were read, for `copy` and all other functions. Returns null if there is
   * nothing to wait for. Throws at once what it can.
   */
  protected override copyNow(
    destination: ArrayLike,
    source: ArrayLike,
    options: C,
  ): Promise<void> | null {
    const common = this.resolveOptions(options);
    throwIfAborted(common.signal);
    const { protocol, driver, name } = this;
    const described = describeSource(destination, protocol, driver, 'destination', name);
    const read = describeSource(source, protocol, driver, 'source', name);
    // Resolved now: a backend that accesses JavaScript memory by its address copies it into its own
    // memory.
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
  async fill(destination: ArrayLike, value: number | bigint | boolean, given?: C): Promise<void> {
    const options = given === undefined ? given : readOptions(given, this.#known.copy);
    const { protocol, driver, name } = this;
    const to = describeSource(destination, protocol, driver, 'destination', name);
    const from = scalarArray(value, to.dtype, options);
    await this.copy(to, from, { ...(options as C), casting: 'same_kind' });
  }

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
    options: C & { readonly dtype: Name },
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
    options?: C & { readonly dtype?: DTypeLike },
  ): Promise<TypedArray>;
  async toTypedArray(
    source: ArrayLike,
    given: CopyOptions & { readonly dtype?: DTypeLike } = {},
  ): Promise<TypedArray> {
    const read = readOptions(given, this.#known.download);
    const { dtype: like } = read;
    const options = this.#known.copyOptionsOf(read);
    const from = describeSource(source, this.protocol, this.driver, 'source', this.name);
    const type = dtypeInJavaScript(like === undefined ? from.dtype : dtype(like));
    const layout = relativeLayout(from.shape, type);
    const buffer = newBuffer(layout.nbytes);
    const elements = typedArray(buffer, type);
    await this.copy(replace(layout, { buffer }), from, options as C);
    return elements;
  }

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
  ): Promise<void> {
    try {
      return this.checkLaunch(kernel as Kernel, options).launch(values) ?? Promise.resolve();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Checks a launch for `launch` and all other functions. @internal */
  protected override checkLaunch(kernel: Kernel, options: LaunchOptions): CheckedLaunch {
    return new CheckedLaunch(this, this.driver, kernel, options, (array) => this.resolve(array));
  }

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
  async allClose(
    a: ArrayLike | NestedNumbers,
    b: ArrayLike | NestedNumbers,
    given: AllCloseOptions = {},
  ): Promise<boolean> {
    const { signal, ...tolerance } = readOptions(given, ALL_CLOSE);
    const { protocol, driver, name } = this;
    const sides = [a, b].map((side, index) =>
      isPlainData(side)
        ? plainArray(side)
        : describeSource(side, protocol, driver, index === 0 ? 'a' : 'b', name),
    );
    for (const [index, { dtype }] of sides.entries()) assertNumbers(dtype, index === 0 ? 'a' : 'b');
    broadcastNamed(sides, ['a', 'b']); // before anything is copied
    const options = signal === undefined ? {} : { signal };
    const [x, y] = await allEnded(sides.map((side) => this.readBack(side, options)));
    return allClose(x as ArrayDescriptor, y as ArrayDescriptor, {
      ...USUAL_TOLERANCE,
      ...tolerance,
    });
  }

  /** See `Backend.readBack`. @internal */
  async readBack(array: ArrayDescriptor, given: ReadOptions): Promise<ArrayDescriptor> {
    const read = readOptions(given, this.#known.download);
    const { dtype: like } = read;
    const layout = relativeLayout(array.shape, like === undefined ? array.dtype : dtype(like));
    const target = replace(layout, { buffer: newBuffer(layout.nbytes) });
    await this.copy(target, array, this.#known.copyOptionsOf(read) as C);
    return target;
  }

  /** See `Backend.peek`. @internal */
  peek(memory: Memory, array: ArrayDescriptor): ArrayBuffer | null {
    return peek(this.driver, memory, array);
  }

  /** Implements `BackendArray.asTypedArray`. @internal */
  async mapBuffer(array: BackendArray, options: MapOptions): Promise<TypedArray> {
    assertOwn(this, array.memory, 'array');
    return mapBuffer(this.driver, array, options);
  }

  /** Returns an array that owns the memory. */
  protected wrap(memory: Memory, descriptor: ArrayDescriptor): OwnedArray<A> {
    return this.driver.wrap(memory, descriptor, null) as OwnedArray<A>;
  }

  /**
   * Does work once everything that waits for kernels of this backend is enqueued, or now if nothing
   * waits. Rejects with the reason of `options.signal`.
   */
  protected async afterWaiting(work: () => Promise<void>, options: WaitOptions): Promise<void> {
    const signal = readSignal(options);
    throwIfAborted(signal);
    await abortable(afterDeferred(waitingOf(this), work), signal);
  }

  /**
   * Returns the options of a copy that every backend has. A backend with more options converts them
   * into these.
   */
  protected resolveOptions(options: C): CopyOptions {
    return options;
  }

  #used(arrays: readonly ArrayLike[], name: string, writes: boolean): UsedArray[] {
    const count = lengthOf(arrays, name, 'a list of arrays', 'ERR_ARGUMENT');
    return Array.from({ length: count }, (_, index) => {
      const array = entryOf(arrays, index, name) as ArrayLike;
      const path = `${name}[${index}]`;
      return {
        array: this.resolve(describeSource(array, this.protocol, this.driver, path, this.name)),
        path,
        writes,
      };
    });
  }

  #isOurs(memory: Memory): boolean {
    return memory.backend === this;
  }

  /**
   * Returns what a dict written for a backend's memory claims. Only this backend's memory vouches
   * for it here.
   */
  #verified(array: ArrayDescriptor, producer: object): ArrayDescriptor {
    const read = verified(array, producer, this.protocol);
    const memory = memoryOf(read.owner);
    return memory === null || this.#isOurs(memory) ? read : claimed(read, producer);
  }

  /** Borrows another backend's memory if this backend can access it. */
  #borrowFrom(lender: Memory, array: ArrayDescriptor, options: BorrowOptions): OwnedArray<A> {
    lender.assertLive('producer');
    lender.assertHolds(array, 'producer');
    const taken = this.driver.importFrom?.(lender, array, options) ?? null;
    if (taken === null) throw notOwn(this, lender, 'producer');
    return this.#borrow(withFlag(taken, options.readOnly), options);
  }

  #borrow(lent: ArrayDescriptor, options: BorrowOptions): OwnedArray<A> {
    const array = relayout(lent, options);
    const memory = this.driver.borrow(array, options);
    const { pointer, shape, byteStrides, dtype, readOnly, base, syclobj, mask, buffer } = array;
    // Drops the stream. `replace` takes three times as long.
    const layout = { pointer, shape, byteStrides, dtype, readOnly, base, syclobj, mask, buffer };
    const descriptor = new ArrayDescriptor({ ...layout, owner: memory });
    return this.wrap(memory, descriptor);
  }

  /**
   * Returns the other backend of a copy from or to JavaScript memory. That backend does such a copy
   * itself: it reads JavaScript memory before the call returns, and writes it. Null if there is no
   * other backend.
   */
  #otherBackend(to: ArrayDescriptor, from: ArrayDescriptor): Backend | null {
    if (from.buffer === null && to.buffer === null) return null;
    const memory = memoryOf(to.owner) ?? memoryOf(from.owner);
    return memory === null || this.#isOurs(memory) ? null : backendOf(memory);
  }
}
