import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type ArrayLike,
  type Backend,
  type BackendArray,
  type BackendQueue,
  type DTypeName,
  dtype,
  isArrayInterfaceError,
  isBackendArray,
  type OwnedArray,
} from '@array-interface/core';
import {
  type AtOnce,
  atOnce,
  type Checks,
  checkCasting,
  checkSignal,
  readOptions,
  throwIfAborted,
  unchecked,
} from '@array-interface/core/backend';
import type { Casting } from '@array-interface/core/numbers';
import type { Output } from '../program/instruction.js';
import { bind, type Expression, keepPlan, scalarsOf } from './expression.js';
import { argumentsOf, type KernelCall, prepare } from './kernel.js';
import { loopOver } from './loop.js';
import { type Operand, readOperands, readOutputs } from './operands.js';
import { assertApart } from './overlap.js';

/** How an expression is computed. */
export interface ComputeOptions {
  /** Which conversions of operands and results are allowed. Default: `same_kind`. */
  readonly casting?: Casting;
  /**
   * The queue for the work and for new arrays. Default: as for a launch, that of the first output,
   * else the backend's own.
   */
  readonly queue?: BackendQueue;
  /** Cancels work that is still pending. */
  readonly signal?: AbortSignal;
}

/** `empty` and `launch` check the queue. */
export const OPTIONS: Checks<ComputeOptions> = {
  casting: checkCasting,
  queue: unchecked,
  signal: checkSignal,
};

/** Items of one launch at most, so that no backend has to split it. */
const MOST_ITEMS = 2 ** 30;

/**
 * Requests the work of a call before it returns, so that whatever is requested later is ordered
 * after it. Settles with the new arrays, by the names of their outputs, once it is enqueued.
 */
export function call<A extends BackendArray>(
  expression: Expression,
  backend: Backend<A>,
  values: Readonly<Record<string, unknown>>,
  out: Readonly<Record<string, unknown>>,
  options: ComputeOptions,
): Promise<Record<string, OwnedArray<A>>> {
  return requestWork(backend, readOptions(options, OPTIONS), (work) =>
    requestExpression(work, expression, values, out),
  );
}

/** Requests work, and settles once it is enqueued. If it fails, the caller gets no arrays. */
export function requestWork<A extends BackendArray, T>(
  backend: Backend<A>,
  options: ComputeOptions,
  request: (work: Work<A>) => T,
): Promise<T> {
  const work = new Work(backend, options);
  try {
    throwIfAborted(work.options.signal);
    return work.settle(request(work));
  } catch (error) {
    work.abandon();
    return Promise.reject(error);
  } finally {
    work.close();
  }
}

/** Requests an expression as a part of some work. Returns the new arrays. */
export function requestExpression<A extends BackendArray>(
  work: Work<A>,
  expression: Expression,
  values: Readonly<Record<string, unknown>>,
  out: Readonly<Record<string, unknown>>,
  casting: Casting = work.options.casting ?? 'same_kind',
): Record<string, OwnedArray<A>> {
  const describe = (value: ArrayLike, name: string) => work.describe(value, name);
  const operands = readOperands(expression.inputs, values, describe);
  const given = readOutputs(Object.keys(expression.outputs), out, describe);
  const key = keyOf(operands, given, casting);
  const known = expression.plans.get(key);
  const bound = known?.bound ?? bind(expression, operands, given, casting);
  const { compiled, shape } = bound;
  const scalars = scalarsOf(bound, operands);
  if (given.size > 0) assertApart(inputsOf(operands), [...given].map(([name, array]) => [`out.${name}`, array] as const)); // biome-ignore format: one line
  const { kernel: program } = compiled;
  const { arrays: outputs, made, finish } = work.outputs(program.outputs, given, shape);
  if (shape.includes(0)) return made;
  const loaded = operands.flatMap(({ array }, index) =>
    array === null || !compiled.loaded.has(index) ? [] : [work.input(array)],
  );
  const arrays = [...outputs, ...loaded];
  const prepared = known?.prepared ?? prepare(expression.name, program, loopOver(shape, arrays, program.axes > 0), compiled.kernels); // biome-ignore format: one line
  if (known === undefined) keepPlan(expression, key, { bound, prepared });
  const { kernel, total } = prepared;
  work.launch({ kernel, total, values: argumentsOf(prepared, arrays, scalars) });
  finish();
  return made;
}

function inputsOf(operands: readonly Operand[]): (readonly [string, ArrayDescriptor])[] {
  return operands.flatMap(({ name, array }) => (array === null ? [] : [[name, array] as const]));
}

/** Returns a text that is the same for calls that need the same code. */
function keyOf(
  operands: readonly Operand[],
  given: ReadonlyMap<string, ArrayDescriptor>,
  casting: Casting,
): string {
  let key: string = casting;
  for (const { array, scalar } of operands) key += array === null ? `;${typeof scalar}` : `;${layoutKey(array)}`; // biome-ignore format: one line
  for (const [name, array] of given) key += `;${name} ${layoutKey(array)}`;
  return key;
}

function layoutKey(array: ArrayDescriptor): string {
  const { dtype: type, shape, byteStrides } = array;
  return `${type.typestr} ${shape} ${byteStrides} ${isUsable(array)}`;
}

/** Whether code can read and write the elements where they are. */
function isUsable(array: ArrayDescriptor): boolean {
  const { itemsize, dtype: type, pointer, size, elementStrides } = array;
  if (type.byteOrder === 'big') return false;
  if (size === 0) return true;
  const alignment = BigInt(type.kind === 'c' ? itemsize / 2 : itemsize);
  return elementStrides !== null && pointer % alignment === 0n;
}

/** The arrays, copies and launches of one call. */
export class Work<A extends BackendArray> {
  readonly options: ComputeOptions;
  readonly #backend: Backend<A>;
  readonly #made: OwnedArray<A>[] = [];
  /** Loans and temporaries, which end when all work is requested. */
  readonly #owned: OwnedArray<A>[] = [];
  readonly #pending: Promise<unknown>[] = [];
  readonly #steps: AtOnce;

  constructor(backend: Backend<A>, options: ComputeOptions) {
    this.#backend = backend;
    this.#steps = atOnce(backend);
    this.options = options;
  }

  describe(value: ArrayLike, name: string): ArrayDescriptor {
    try {
      if (isBackendArray(value) && value.backend === this.#backend) return value.descriptor;
      const loan = this.#backend.asArray(value);
      this.#owned.push(loan);
      return loan.descriptor;
    } catch (cause) {
      if (!isArrayInterfaceError(cause) || cause.path === name) throw cause;
      const { code, path, reason } = cause;
      const isOwn = path === null || path === 'producer' || path === 'array';
      throw new ArrayInterfaceError(code, isOwn ? name : `${name}.${path}`, reason, { cause });
    }
  }

  /** Whether one launch may have few items: each has the time of a processor. */
  get isOnHost(): boolean {
    return this.#backend.name === 'host';
  }

  make(shape: readonly number[], type: Parameters<typeof dtype>[0]): OwnedArray<A> {
    const { queue } = this.options;
    const array = this.#backend.empty(shape, dtype(type), queue === undefined ? {} : { queue });
    this.#made.push(array);
    return array;
  }

  /** The outputs: new arrays, which are `made`, or those `given`. `finish` ends writing them. */
  outputs(
    outputs: readonly Pick<Output, 'name' | 'type'>[],
    given: ReadonlyMap<string, ArrayDescriptor>,
    shape: readonly number[],
  ): { arrays: ArrayDescriptor[]; made: Record<string, OwnedArray<A>>; finish: () => void } {
    const made: Record<string, OwnedArray<A>> = {};
    const afterwards: (() => void)[] = [];
    const arrays = outputs.map(({ name, type }) => {
      const array = given.get(name);
      if (array === undefined) {
        made[name] = this.make(shape, type);
        return made[name].descriptor;
      }
      if (isUsable(array)) return array;
      const temporary = this.#denseCopy(array);
      afterwards.push(() => this.copy(array, temporary));
      return temporary;
    });
    const finish = () => {
      for (const step of afterwards) step();
    };
    return { arrays, made, finish };
  }

  /** An array whose elements code can read: a copy if it cannot read them where they are. */
  input(array: ArrayDescriptor): ArrayDescriptor {
    if (isUsable(array)) return array;
    const temporary = this.#denseCopy(array);
    this.copy(temporary, array);
    return temporary;
  }

  /** A dense array of the same shape and of its dtype in native byte order. */
  #denseCopy({ shape, dtype: { name } }: ArrayDescriptor): ArrayDescriptor {
    return this.temporary(shape, name as DTypeName);
  }

  /** A dense array that ends with the call. */
  temporary(shape: readonly number[], type: DTypeName): ArrayDescriptor {
    const { queue } = this.options;
    const array = this.#backend.empty(shape, type, queue === undefined ? {} : { queue });
    this.#owned.push(array);
    return array.descriptor;
  }

  copy(to: ArrayDescriptor, from: ArrayDescriptor): void {
    this.#wait(this.#steps.copy(to, from, this.#chosen()));
  }

  launch({ kernel, values, total }: KernelCall): void {
    for (let first = 0; first < total; first += MOST_ITEMS) {
      const range = [Math.min(MOST_ITEMS, total - first)];
      const given = { ...values, $first: first, $total: total };
      this.#wait(this.#steps.launch(kernel, { ...this.#chosen(), range }, given));
    }
  }

  #wait(step: Promise<unknown> | null): void {
    if (step !== null) this.#pending.push(step);
  }

  #chosen(): { queue?: BackendQueue; signal?: AbortSignal } {
    const { queue, signal } = this.options;
    return { ...(queue && { queue }), ...(signal && { signal }) };
  }

  /** Everything is requested: pending work keeps what it needs. */
  close(): void {
    for (const array of this.#owned) array.dispose();
  }

  /** All is requested, or has failed together. The caller gets the first error, and no arrays. */
  async settle<T>(value: T): Promise<T> {
    this.#wait(this.#steps.join(this.options.signal));
    try {
      await Promise.all(this.#pending);
      return value;
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  abandon(): void {
    for (const one of this.#pending) one.catch(() => {});
    for (const array of this.#made) array.dispose();
  }
}
