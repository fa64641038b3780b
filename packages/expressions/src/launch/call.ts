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
  type OwnedArray,
} from '@array-interface/core';
import {
  type AnyLaunch,
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
import { FIRST } from '../code/form.js';
import type { Output } from '../program/instruction.js';
import { bind, type Expression, findPlan, keepPlan, type Plan, scalarsOf } from './expression.js';
import { addressedOf, argumentsOf, type KeptLaunch, type KernelCall, prepare } from './kernel.js';
import { isUsable, layoutsOf } from './layout.js';
import { loopOver } from './loop.js';
import { type Operand, readOperands, readOutputs, type Target } from './operands.js';
import { assertApart, assertNoneRepeats } from './overlap.js';

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

/** The options of a call, with what it writes. */
type CallOptions = ComputeOptions & { readonly out?: unknown };

const CALL_OPTIONS: Checks<CallOptions> = { ...OPTIONS, out: unchecked };

const NO_TARGETS: readonly Target[] = [];

const NONE: Readonly<Record<string, never>> = Object.freeze({});

/** Whether all devices of backends are processors. */
const onCpu = new WeakMap<Backend, boolean>();

/** Items of one launch at most, so that no backend has to split it. */
const MOST_ITEMS = 2 ** 30;

/**
 * Reads the options of a call, and requests its work before it returns, so that whatever is
 * requested later is ordered after it. Settles with what `request` returned, once it is enqueued.
 */
export function call<A extends BackendArray, T>(
  backend: Backend<A>,
  given: CallOptions | undefined,
  request: (work: Work<A>, out: unknown) => T,
): Promise<T> {
  try {
    const options = given === undefined ? NONE : readOptions(given, CALL_OPTIONS);
    return requestWork(backend, options, (work) => request(work, (options as CallOptions).out));
  } catch (error) {
    return Promise.reject(error);
  }
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
  out: Readonly<Record<string, unknown>> | undefined,
  casting: Casting = work.options.casting ?? 'same_kind',
): Record<string, OwnedArray<A>> {
  const describe = (value: ArrayLike, name: string) => work.describe(value, name);
  const operands = readOperands(expression.inputs, values, describe);
  const given = out === undefined ? NO_TARGETS : readOutputs(expression.outputNames, out, describe);
  return requestOperands(work, expression, operands, given, casting);
}

/** The same for operands and outputs that were read. */
export function requestOperands<A extends BackendArray>(
  work: Work<A>,
  expression: Expression,
  operands: readonly Operand[],
  given: readonly Target[],
  casting: Casting,
): Record<string, OwnedArray<A>> {
  const known = findPlan(expression.plans, operands, given, casting);
  const bound = known?.bound ?? bind(expression, operands, given, casting);
  const { compiled, shape } = bound;
  const scalars = scalarsOf(bound, operands);
  if (known === null) assertNoneRepeats(given);
  assertApart(operands, given);
  const { arrays, made, copies } = work.outputs(compiled.kernel.outputs, given, shape);
  if (shape.includes(0)) return made;
  arrays.push(...work.inputs(operands, compiled.loaded));
  const { prepared } =
    known ?? newPlan(expression, bound, arrays, layoutsOf(operands, given, casting));
  work.launch({ prepared, arrays, scalars });
  work.finish(copies);
  return made;
}

/** The options of each launch and copy. */
function chosenOf({ queue, signal }: ComputeOptions): Pick<ComputeOptions, 'queue' | 'signal'> {
  if (queue === undefined && signal === undefined) return NONE;
  return { ...(queue && { queue }), ...(signal && { signal }) };
}

function newPlan(
  expression: Expression,
  bound: Plan['bound'],
  arrays: readonly ArrayDescriptor[],
  layouts: Plan['layouts'],
): Plan {
  const { kernel: program, kernels } = bound.compiled;
  const loop = loopOver(bound.shape, arrays, program.axes > 0);
  const plan = { layouts, bound, prepared: prepare(expression.name, program, loop, kernels) };
  keepPlan(expression.plans, plan);
  return plan;
}

/** What is copied where when the results are there. */
type Copies = readonly (readonly [to: ArrayDescriptor, from: ArrayDescriptor])[];

/** The arrays, copies and launches of one call. */
export class Work<A extends BackendArray> {
  readonly options: ComputeOptions;
  readonly #backend: Backend<A>;
  readonly #made: OwnedArray<A>[] = [];
  /** Loans and temporaries, which end when all work is requested. */
  readonly #owned: OwnedArray<A>[] = [];
  readonly #pending: Promise<unknown>[] = [];
  readonly #steps: AtOnce;
  readonly #chosen: Pick<ComputeOptions, 'queue' | 'signal'>;
  readonly #isNoted: boolean;
  /** The launches and copies so far, and the last launch. */
  #count = 0;
  #launched: KernelCall | null = null;

  /** Work that `isNoted` is checked and planned, and not requested. */
  constructor(backend: Backend<A>, options: ComputeOptions, isNoted = false) {
    this.#backend = backend;
    this.#isNoted = isNoted;
    this.#steps = atOnce(backend);
    this.options = options;
    this.#chosen = chosenOf(options);
  }

  describe(value: ArrayLike, name: string): ArrayDescriptor {
    try {
      const own = this.#steps.describe(value);
      if (own !== null) return own;
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

  /** Whether all devices of the backend are processors. */
  get isOnCpu(): boolean {
    const backend = this.#backend;
    const known = onCpu.get(backend);
    if (known !== undefined) return known;
    const own = backend.devices().every(({ type }) => type === 'cpu');
    onCpu.set(backend, own);
    return own;
  }

  make(shape: readonly number[], type: Parameters<typeof dtype>[0]): OwnedArray<A> {
    const { queue } = this.options;
    const array = this.#backend.empty(shape, dtype(type), queue === undefined ? NONE : { queue });
    this.#made.push(array);
    return array;
  }

  /**
   * The outputs: new arrays, which are `made` unless they are temporary, or those `given`. The
   * `copies` end writing them.
   */
  outputs(
    outputs: readonly Pick<Output, 'name' | 'type'>[],
    given: readonly Target[],
    shape: readonly number[],
    isTemporary = false,
  ): { arrays: ArrayDescriptor[]; made: Record<string, OwnedArray<A>>; copies: Copies } {
    const made: Record<string, OwnedArray<A>> = {};
    const arrays: ArrayDescriptor[] = [];
    const copies: [to: ArrayDescriptor, from: ArrayDescriptor][] = [];
    for (const { name, type } of outputs) {
      const target = given.find((one) => one.name === name);
      if (target === undefined && isTemporary) {
        arrays.push(this.temporary(shape, type));
      } else if (target === undefined) {
        made[name] = this.make(shape, type);
        arrays.push(made[name].descriptor);
      } else if (isUsable(target.array)) {
        arrays.push(target.array);
      } else {
        const temporary = this.#denseCopy(target.array);
        arrays.push(temporary);
        copies.push([target.array, temporary]);
      }
    }
    return { arrays, made, copies };
  }

  /** An array whose elements code can read: a copy if it cannot read them where they are. */
  input(array: ArrayDescriptor): ArrayDescriptor {
    if (isUsable(array)) return array;
    const temporary = this.#denseCopy(array);
    this.copy(temporary, array);
    return temporary;
  }

  /** The same for those operands that are arrays, of some indices. */
  inputs(operands: readonly Operand[], indices: readonly number[]): ArrayDescriptor[] {
    const arrays: ArrayDescriptor[] = [];
    for (const index of indices) {
      const { array } = operands[index] as Operand;
      if (array !== null) arrays.push(this.input(array));
    }
    return arrays;
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

  finish(copies: Copies): void {
    for (const [to, from] of copies) this.copy(to, from);
  }

  copy(to: ArrayDescriptor, from: ArrayDescriptor): void {
    this.#count++;
    if (!this.#isNoted) this.#wait(this.#steps.copy(to, from, this.#chosen));
  }

  /** Launches a kernel, which reads the numbers at once. */
  launch(call: KernelCall): void {
    const { total, columns } = call.prepared;
    const most = Math.ceil(MOST_ITEMS / columns);
    this.#launched = call;
    if (total > most) {
      this.#launchParts(call, most);
      return;
    }
    this.#count++;
    if (!this.#isNoted) this.#wait(this.#launchWhole(call));
  }

  #launchWhole(call: KernelCall): Promise<void> | null {
    const { checked, prepared } = this.#kept(call);
    return prepared === null
      ? checked.launch(argumentsOf(call))
      : prepared.launch(addressedOf(call));
  }

  #launchParts(call: KernelCall, most: number): void {
    const { total } = call.prepared;
    for (let first = 0; first < total; first += most) {
      this.#count++;
      if (this.#isNoted) continue;
      const checked = this.#checked(call, Math.min(most, total - first));
      this.#wait(checked.launch({ ...argumentsOf(call), [FIRST]: first }));
    }
  }

  /** Returns a launch that was checked, for this call or for an earlier one. */
  #kept(call: KernelCall): KeptLaunch {
    const { launches, total, names } = call.prepared;
    const { queue, signal } = this.#chosen;
    const place = queue ?? this.#backend;
    const known = signal === undefined ? launches.get(place) : undefined;
    if (known !== undefined) return known;
    const checked = this.#checked(call, total);
    if (signal !== undefined) return { checked, prepared: null };
    const kept = { checked, prepared: checked.prepare(argumentsOf(call), names) };
    launches.set(place, kept);
    return kept;
  }

  #checked({ prepared: { kernel, columns } }: KernelCall, items: number): AnyLaunch {
    const range = columns > 1 ? [items, columns] : [items];
    return this.#steps.checkLaunch(kernel, { ...this.#chosen, range });
  }

  /**
   * Returns a function that makes the launch that was noted, if it is all of the call: without loans
   * and temporaries. Null if the backend prepares none.
   */
  prepare(): (() => Promise<void> | null) | null {
    const call = this.#launched;
    if (call === null || this.#count > 1 || this.#owned.length > 0) return null;
    const { prepared } = this.#kept(call);
    const given = addressedOf(call);
    return prepared && (() => prepared.launch(given));
  }

  #wait(step: Promise<unknown> | null): void {
    if (step !== null) this.#pending.push(step);
  }

  /** Everything is requested: pending work keeps what it needs. */
  close(): void {
    for (const array of this.#owned) array.dispose();
  }

  /** All is requested, or has failed together. The caller gets the first error, and no arrays. */
  settle<T>(value: T): Promise<T> {
    this.#wait(this.#steps.join(this.options.signal));
    return this.#pending.length === 0 ? Promise.resolve(value) : this.#settleLater(value);
  }

  async #settleLater<T>(value: T): Promise<T> {
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
