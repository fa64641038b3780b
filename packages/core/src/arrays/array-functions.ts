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
import type { CheckedLaunch } from '../backend/launch/checked-launch.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType, DTypeLike } from '../dtype/dtype.js';
import { dtype as readDType } from '../dtype/read-dtype.js';
import { readOptions } from '../input/options.js';
import type { Kernel } from '../kernel/kernel.js';
import type { NestedNumbers } from '../numbers/plain-array.js';
import { arange, rangeOf, typeOf } from './arange.js';
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

/** What functions of arrays need of a backend. */
export abstract class FunctionsOwner<A extends BackendArray> {
  /** The driver that does the work. */
  protected abstract readonly driver: Driver<A>;

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

  /** Checks a launch as `launch` does. Throws what it rejects with. @internal */
  protected abstract checkLaunch(kernel: Kernel, options: LaunchOptions): CheckedLaunch;

  #maker: Maker<A> | null = null;

  /** What the functions need of this backend. */
  protected get maker(): Maker<A> {
    this.#maker ??= {
      backend: this as unknown as Backend<A>,
      driver: this.driver,
      resolve: (array) => this.resolve(array),
      copy: (to, from, options) => this.copyNow(to, from, options),
      checkLaunch: (kernel, options) => this.checkLaunch(kernel, options),
    };
    return this.#maker;
  }
}

abstract class Functions<A extends BackendArray, O extends EmptyOptions>
  extends FunctionsOwner<A>
  implements ArrayFunctions<A, O>
{
  #checks: FunctionChecks | null = null;

  async zeros(shape: readonly number[], dtype: DTypeLike, options?: O): Promise<OwnedArray<A>> {
    const type = readDType(dtype);
    return filled(this.maker, shape, type, zero(type), this.#read(options, 'empty'));
  }

  async ones(shape: readonly number[], dtype: DTypeLike, options?: O): Promise<OwnedArray<A>> {
    const type = readDType(dtype);
    return filled(this.maker, shape, type, one(type, 1), this.#read(options, 'empty'));
  }

  async full(
    shape: readonly number[],
    value: number | bigint | boolean,
    dtype: DTypeLike,
    options?: O,
  ): Promise<OwnedArray<A>> {
    const type = readDType(dtype);
    return filled(this.maker, shape, type, one(type, value), this.#read(options, 'empty'));
  }

  emptyLike(array: ArrayLike | NestedNumbers, options?: O & DTypeOption): OwnedArray<A> {
    const { like, type, own } = this.#like(array, options);
    return madeLike(this.maker, like, type, own);
  }

  async zerosLike(
    array: ArrayLike | NestedNumbers,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>> {
    const { like, type, own } = this.#like(array, options);
    return filled(this.maker, like.shape, type, zero(type), own, like);
  }

  async onesLike(
    array: ArrayLike | NestedNumbers,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>> {
    const { like, type, own } = this.#like(array, options);
    return filled(this.maker, like.shape, type, one(type, 1), own, like);
  }

  async fullLike(
    array: ArrayLike | NestedNumbers,
    value: number | bigint | boolean,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>> {
    const { like, type, own } = this.#like(array, options);
    return filled(this.maker, like.shape, type, one(type, value), own, like);
  }

  arange(stop: number | bigint, options?: O & DTypeOption): Promise<OwnedArray<A>>;
  arange(
    start: number | bigint,
    stop: number | bigint,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>>;
  arange(
    start: number | bigint,
    stop: number | bigint,
    step: number | bigint,
    options?: O & DTypeOption,
  ): Promise<OwnedArray<A>>;
  async arange(...given: readonly unknown[]): Promise<OwnedArray<A>> {
    const [numbers, options] = withOptions<EmptyOptions & DTypeOption>(given, 3);
    const range = rangeOf(numbers);
    const { dtype, ...own } = this.#read(options, 'like');
    const type = dtype === undefined ? typeOf(range) : readDType(dtype);
    return sequenced(this.maker, arange(range, type), type, own);
  }

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

  eye(rows: number, options?: O & EyeOptions): Promise<OwnedArray<A>>;
  eye(rows: number, columns: number, options?: O & EyeOptions): Promise<OwnedArray<A>>;
  async eye(...given: readonly unknown[]): Promise<OwnedArray<A>> {
    const [[rows, columns = rows], options] = withOptions<EmptyOptions & EyeOptions>(given, 2);
    const { dtype = 'float64', k = 0, ...own } = this.#read(options, 'eye');
    const shape = [rows as number, columns as number] as const;
    return eye(this.maker, shape, k, readDType(dtype), own);
  }

  async concat(
    arrays: readonly (ArrayLike | NestedNumbers)[],
    options?: O & ConcatOptions,
  ): Promise<OwnedArray<A>> {
    return concat(this.maker, arrays, this.#read(options, 'join'));
  }

  async stack(
    arrays: readonly (ArrayLike | NestedNumbers)[],
    options?: O & StackOptions,
  ): Promise<OwnedArray<A>> {
    return stack(this.maker, arrays, this.#read(options, 'join'));
  }

  unstack<B extends BackendArray>(array: B, options?: AxisOption): ArrayView<B>[] {
    const { axis = 0 } = options === undefined ? {} : readOptions(options, AXIS);
    return unstack(array, axis, this.maker.backend.name);
  }

  async tile(
    array: ArrayLike | NestedNumbers,
    repetitions: readonly number[],
    options?: O,
  ): Promise<OwnedArray<A>> {
    return tile(this.maker, array, repetitions, this.#read(options, 'empty'));
  }

  async repeat(
    array: ArrayLike | NestedNumbers,
    repeats: number | readonly number[],
    options?: O & AxisOption,
  ): Promise<OwnedArray<A>> {
    return repeat(this.maker, array, repeats, this.#read(options, 'along'));
  }

  async roll(
    array: ArrayLike | NestedNumbers,
    shift: number | readonly number[],
    options?: O & RollOptions,
  ): Promise<OwnedArray<A>> {
    return roll(this.maker, array, shift, this.#read(options, 'along'));
  }

  async take(
    array: ArrayLike | NestedNumbers,
    indices: ArrayLike | NestedNumbers,
    options?: O & AxisOption,
  ): Promise<OwnedArray<A>> {
    return take(this.maker, array, indices, this.#read(options, 'along'));
  }

  async put(
    array: ArrayLike,
    indices: ArrayLike | NestedNumbers,
    values: ArrayLike | NestedNumbers,
    options?: PutOptions,
  ): Promise<void> {
    const read = options === undefined ? {} : readOptions(options, PUT);
    return put(this.maker, array, indices, values, read);
  }

  async where(
    mask: ArrayLike | NestedNumbers,
    a: ArrayLike | NestedNumbers,
    b: ArrayLike | NestedNumbers,
    options?: O,
  ): Promise<OwnedArray<A>> {
    return where(this.maker, mask, a, b, this.#read(options, 'empty'));
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

/**
 * The functions of arrays that every backend has, over its copies, launches and new memory. They
 * have the types of the interface, so that editors show its comments for a call: TypeScript 7 shows
 * none for a method of a class that has no comment of its own.
 */
export const BackendFunctions: abstract new <
  A extends BackendArray,
  O extends EmptyOptions = EmptyOptions,
>() => ArrayFunctions<A, O> & FunctionsOwner<A> = Functions;

/**
 * Splits the arguments of a function whose last numbers may be absent: at most `most` numbers, of
 * which the first is there, whatever it is.
 */
function withOptions<Options>(
  given: readonly unknown[],
  most: number,
): [numbers: readonly unknown[], options: Options | undefined] {
  const last = given.at(-1);
  const hasOptions =
    given.length > most ||
    (given.length > 1 &&
      (last === undefined || (typeof last === 'object' && !Array.isArray(last))));
  const numbers = hasOptions ? given.slice(0, -1) : given;
  return [numbers.slice(0, most), (hasOptions ? last : undefined) as Options | undefined];
}
