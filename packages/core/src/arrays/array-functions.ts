import type {
  ArrayFunctions,
  ArrayLike,
  ArrayView,
  Backend,
  BackendArray,
  OwnedArray,
} from '../backend/interface/array.js';
import type { Driver } from '../backend/interface/driver.js';
import type {
  AxisOption,
  ConcatOptions,
  DTypeOption,
  EyeOptions,
  LinspaceOptions,
  PutOptions,
  RollOptions,
  StackOptions,
} from '../backend/interface/function-options.js';
import {
  AXIS,
  type FunctionChecks,
  functionChecks,
  PUT,
} from '../backend/interface/known-options.js';
import type { CopyOptions, EmptyOptions, LaunchOptions } from '../backend/interface/options.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType, DTypeLike } from '../dtype/dtype.js';
import { dtype as readDType } from '../dtype/read-dtype.js';
import { readOptions } from '../input/options.js';
import type { Kernel } from '../kernel/kernel.js';
import type { NestedNumbers } from '../numbers/plain-array.js';
import { arange, typeOf } from './arange.js';
import { eye, filled, madeLike, one, zero } from './full.js';
import { concat, stack, unstack } from './join.js';
import { linspace } from './linspace.js';
import { describe, type Operand } from './operand.js';
import { put } from './put.js';
import { repeat, roll, tile } from './reorder.js';
import { sequenced } from './sequence.js';
import { take } from './take.js';
import { where } from './where.js';
import type { Maker } from './work.js';

/** The functions of arrays that every backend has, over its copies, launches and new memory. */
export abstract class BackendFunctions<
  A extends BackendArray,
  O extends EmptyOptions = EmptyOptions,
> implements ArrayFunctions<A, O>
{
  /** The driver that does the work. */
  protected abstract readonly driver: Driver<A>;
  #checks: FunctionChecks | null = null;

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
  async zeros(shape: readonly number[], dtype: DTypeLike, options?: O): Promise<OwnedArray<A>> {
    const type = readDType(dtype);
    return filled(this.maker, shape, type, zero(type), this.#read(options, 'empty'));
  }
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
  async ones(shape: readonly number[], dtype: DTypeLike, options?: O): Promise<OwnedArray<A>> {
    const type = readDType(dtype);
    return filled(this.maker, shape, type, one(type, 1), this.#read(options, 'empty'));
  }
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
  async full(
    shape: readonly number[],
    value: number | bigint | boolean,
    dtype: DTypeLike,
    options?: O,
  ): Promise<OwnedArray<A>> {
    const type = readDType(dtype);
    return filled(this.maker, shape, type, one(type, value), this.#read(options, 'empty'));
  }
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
  emptyLike(array: ArrayLike | NestedNumbers, options?: O & DTypeOption): OwnedArray<A> {
    const { like, type, own } = this.#like(array, options);
    return madeLike(this.maker, like, type, own);
  }
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
  async zerosLike(
    array: ArrayLike | NestedNumbers,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>> {
    const { like, type, own } = this.#like(array, options);
    return filled(this.maker, like.shape, type, zero(type), own, like);
  }
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
  async onesLike(
    array: ArrayLike | NestedNumbers,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>> {
    const { like, type, own } = this.#like(array, options);
    return filled(this.maker, like.shape, type, one(type, 1), own, like);
  }
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
  async fullLike(
    array: ArrayLike | NestedNumbers,
    value: number | bigint | boolean,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>> {
    const { like, type, own } = this.#like(array, options);
    return filled(this.maker, like.shape, type, one(type, value), own, like);
  }
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
  async arange(...given: readonly unknown[]): Promise<OwnedArray<A>> {
    const [numbers, options] = withOptions<EmptyOptions & DTypeOption>(given);
    const [first = 0, second, step = 1] = numbers as (number | bigint | undefined)[];
    const range =
      second === undefined ? { start: 0, stop: first, step } : { start: first, stop: second, step };
    const { dtype, ...own } = this.#read(options, 'like');
    const type = dtype === undefined ? typeOf(range) : readDType(dtype);
    return sequenced(this.maker, arange(range, type), type, own);
  }
  /**
   * Returns `count` evenly spaced numbers from `start` to `stop`. The last one is exactly `stop`;
   * with `endpoint: false` it is one step before.
   *
   * The dtype is float64 by default. The numbers are computed as doubles in JavaScript, as NumPy
   * does it, and then converted; for integers they are rounded down. Settles and blocks as `zeros`
   * does. Rejects with what `empty` throws, with ERR_ARGUMENT, and with ERR_DTYPE_UNSUPPORTED for a
   * dtype without numbers.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   *
   * using marks = await host.linspace(0, 1, 5);
   * console.log(await host.toTypedArray(marks)); // Float64Array(5) [ 0, 0.25, 0.5, 0.75, 1 ]
   * ```
   */
  async linspace(
    start: number,
    stop: number,
    count: number,
    options?: O & LinspaceOptions,
  ): Promise<OwnedArray<A>> {
    const {
      dtype = 'float64',
      endpoint = true,
      ...own
    } = this.#read<EmptyOptions & LinspaceOptions>(options, 'linspace');
    const type = readDType(dtype);
    return sequenced(this.maker, linspace(start, stop, count, endpoint, type), type, own);
  }
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
  async eye(...given: readonly unknown[]): Promise<OwnedArray<A>> {
    const [[rows, columns = rows], options] = withOptions<EmptyOptions & EyeOptions>(given);
    const { dtype = 'float64', k = 0, ...own } = this.#read(options, 'eye');
    const shape = [rows as number, columns as number] as const;
    return eye(this.maker, shape, k, readDType(dtype), own);
  }
  /**
   * Returns a new array of the arrays in a row, along an axis that they have, by default the first.
   * All other axes are of the same length. With `axis: null` it has the elements of all in C order,
   * and one axis.
   *
   * The dtype is the one that holds the values of all (`resultType` of `@array-
   * interface/core/numbers`), or `dtype`, as far as `casting` allows. Takes what `array` takes.
   * Arrays of this backend are read in order with all other work, JavaScript memory before the call
   * returns; if an array is of another backend, leave it alone until the promise settles.
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
  async concat(
    arrays: readonly (ArrayLike | NestedNumbers)[],
    options?: O & ConcatOptions,
  ): Promise<OwnedArray<A>> {
    return concat(this.maker, arrays, this.#read(options, 'join'));
  }
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
  async stack(
    arrays: readonly (ArrayLike | NestedNumbers)[],
    options?: O & StackOptions,
  ): Promise<OwnedArray<A>> {
    return stack(this.maker, arrays, this.#read(options, 'join'));
  }
  /**
   * Returns a view of each place along an axis, by default the first, without that axis. Copies
   * nothing. Takes arrays of every backend. Throws ERR_ARGUMENT, ERR_DISPOSED, ERR_MASK.
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
  unstack<B extends BackendArray>(array: B, options?: AxisOption): ArrayView<B>[] {
    const { axis = 0 } = options === undefined ? {} : readOptions(options, AXIS);
    return unstack(array, axis);
  }
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
  async tile(
    array: ArrayLike | NestedNumbers,
    repetitions: readonly number[],
    options?: O,
  ): Promise<OwnedArray<A>> {
    return tile(this.maker, array, repetitions, this.#read(options, 'empty'));
  }
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
  async repeat(
    array: ArrayLike | NestedNumbers,
    repeats: number | readonly number[],
    options?: O & AxisOption,
  ): Promise<OwnedArray<A>> {
    return repeat(this.maker, array, repeats, this.#read(options, 'along'));
  }
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
  async roll(
    array: ArrayLike | NestedNumbers,
    shift: number | readonly number[],
    options?: O & RollOptions,
  ): Promise<OwnedArray<A>> {
    return roll(this.maker, array, shift, this.#read(options, 'along'));
  }
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
  async take(
    array: ArrayLike | NestedNumbers,
    indices: ArrayLike | NestedNumbers,
    options?: O & AxisOption,
  ): Promise<OwnedArray<A>> {
    return take(this.maker, array, indices, this.#read(options, 'along'));
  }
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
  async put(
    array: ArrayLike,
    indices: ArrayLike | NestedNumbers,
    values: ArrayLike | NestedNumbers,
    options?: PutOptions,
  ): Promise<void> {
    const read = options === undefined ? {} : readOptions(options, PUT);
    return put(this.maker, array, indices, values, read);
  }
  /**
   * Returns a new array of the elements of `a` where the mask is true, and of `b` elsewhere. All
   * three broadcast to one shape. The mask is of bool, or of uint8, as JavaScript has it, where 0
   * is false.
   *
   * The dtype is the one that holds the values of both (`resultType` of `@array-
   * interface/core/numbers`). A single number beside an array takes the array's dtype; beside bools
   * or, with a fraction, beside integers it is int64 or float64. Takes what `array` takes, but no
   * memory of another backend.
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
  async where(
    mask: ArrayLike | NestedNumbers,
    a: ArrayLike | NestedNumbers,
    b: ArrayLike | NestedNumbers,
    options?: O,
  ): Promise<OwnedArray<A>> {
    return where(this.maker, mask, a, b, this.#read(options, 'empty'));
  }

  /**
   * Returns the array as this backend sees it. Only a backend that accesses JavaScript memory by
   * its address changes anything; the owner is then new memory of this backend.
   */
  protected resolve(array: ArrayDescriptor): ArrayDescriptor {
    return array;
  }

  /**
   * Copies as `copy` does. Returns null if there is nothing to wait for. Throws at once what it can,
   * so that the caller does not go on.
   */
  protected abstract copyNow(
    destination: ArrayLike,
    source: ArrayLike,
    options: CopyOptions,
  ): Promise<void> | null;

  /** Launches as `launch` does. Returns and throws as `copyNow` does. @internal */
  protected abstract launchNow(
    kernel: Kernel,
    options: LaunchOptions,
    values: object,
  ): Promise<void> | null;

  /** What the functions need of this backend. */
  protected get maker(): Maker<A> {
    return {
      backend: this as unknown as Backend<A>,
      driver: this.driver,
      resolve: (array) => this.resolve(array),
      copy: (to, from, options) => this.copyNow(to, from, options),
      launch: (kernel, options, values) => this.launchNow(kernel, options, values),
    };
  }

  #read<Options extends EmptyOptions>(
    options: Options | undefined,
    name: keyof FunctionChecks,
  ): Options {
    this.#checks ??= functionChecks(this.driver.ownOptions);
    return options === undefined ? ({} as Options) : readOptions(options, this.#checks[name]);
  }

  /** The array that a new one is like, the dtype of that, and the options of `empty`. */
  #like(
    array: Operand,
    options: (O & DTypeOption) | undefined,
  ): { readonly like: ArrayDescriptor; readonly type: DType; readonly own: EmptyOptions } {
    const { dtype, ...own } = this.#read<EmptyOptions & DTypeOption>(options, 'like');
    const like = describe(this.maker, array, 'array');
    return { like, type: dtype === undefined ? like.dtype : readDType(dtype), own };
  }
}

/** Splits the arguments of a function whose last numbers may be absent. */
function withOptions<Options>(
  given: readonly unknown[],
): [numbers: readonly unknown[], options: Options | undefined] {
  const last = given.at(-1);
  const hasOptions = typeof last === 'object' || last === undefined;
  const numbers = hasOptions ? given.slice(0, -1) : given;
  return [numbers, (hasOptions ? last : undefined) as Options | undefined];
}
