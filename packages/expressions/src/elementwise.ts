import {
  ArrayInterfaceError,
  type ArrayLike,
  type Backend,
  type BackendArray,
  type DTypeName,
  type OwnedArray,
} from '@array-interface/core';
import { type ComputeOptions, call, requestExpression } from './launch/call.js';
import { newExpression } from './launch/expression.js';
import { fault, type Scalar } from './launch/operands.js';
import { type PrepareOptions, prepareCall } from './launch/prepare.js';
import { isVariable, type TypeName } from './launch/types.js';
import { checkName, checkNames } from './meaning/check-names.js';
import { CASTS } from './meaning/functions.js';
import { refuseReductions } from './meaning/reductions.js';
import { didYouMean } from './syntax/fault.js';
import { parse } from './syntax/parse.js';

/** The names and types of operands or outputs. */
export type Types = Readonly<Record<string, TypeName>>;

/** What an expression computes from what. */
export interface Signature<I extends Types, O extends Types> {
  /** The operands: arrays or numbers. */
  readonly inputs: I;
  /** The arrays that the text assigns. */
  readonly outputs: O;
}

/** An array, or a number for all elements. */
export type OperandValue = ArrayLike | Scalar;

/** Outputs that are written into arrays that exist. */
export type OutOf<O extends Types> = { readonly [Name in keyof O]?: ArrayLike };

/** What a function of arrays takes: an array or a number for each operand. */
type Operands<I extends Types> = { readonly [Name in keyof I]: OperandValue };

/** A function of arrays, made by `elementwise`. */
export interface Elementwise<I extends Types, O extends Types> {
  /** Computes on a backend. Settles with the new arrays, by name, once the work is enqueued. */
  <A extends BackendArray, const Out extends OutOf<O> = Record<never, never>>(
    backend: Backend<A>,
    values: Operands<I>,
    options?: ComputeOptions & {
      /** Arrays that are written in place of new ones. */
      readonly out?: Out & { readonly [Name in Exclude<keyof Out, keyof O>]: never };
    },
  ): Promise<{ readonly [Name in Exclude<keyof O, keyof Out>]: OwnedArray<A> }>;

  /**
   * Returns a function that makes one call again and again, for loops over the same arrays: it reads
   * the arrays and numbers once, and their elements each time. Checks and compiles the call at once, so
   * that each one takes less than half the time before it computes. `out` names all outputs. Keeps the
   * arrays alive.
   *
   * Throws what the call rejects with, and ERR_ARGUMENT for a missing output. The function settles and
   * rejects as the call does: with ERR_DISPOSED once an array has been disposed of.
   *
   * @example
   * ```ts
   * import { elementwise } from '@array-interface/expressions';
   * import { host } from '@array-interface/host';
   *
   * const double = elementwise('double', { inputs: { x: 'T' }, outputs: { y: 'T' } }, 'y = x + x');
   * using x = await host.array([1, 2, 3], { dtype: 'float32' });
   * const step = double.prepare(host, { x }, { out: { y: x } });
   * for (let count = 0; count < 10; count++) await step();
   * console.log(await x.toNested()); // [ 1024, 2048, 3072 ]
   * ```
   */
  prepare<A extends BackendArray>(
    backend: Backend<A>,
    values: Operands<I>,
    options: PrepareOptions & { readonly out: Readonly<Record<keyof O, ArrayLike>> },
  ): () => Promise<void>;
}

/**
 * Makes a function of arrays of a text that computes each element, such as `z = (x - y) ** 2`. Reads
 * the text once; compiles nothing yet.
 *
 * The function broadcasts its operands, computes on the backend that it is given, and settles with
 * the new arrays once the work is enqueued, as `launch` does. It does not block. `out` names arrays
 * to write instead. The first call on a device builds a kernel for the types and layouts of the
 * call, so define a function once. Throws ERR_ARGUMENT with a mark under the fault of a text. Calls
 * reject with ERR_ARGUMENT, ERR_CASTING, ERR_SHAPE_MISMATCH, ERR_DTYPE_UNSUPPORTED, ERR_MASK,
 * ERR_READ_ONLY, ERR_OVERLAP, ERR_SELF_OVERLAP, ERR_TYPE, ERR_OVERFLOW, and with what `asArray`,
 * `empty`, `copy` and `launch` reject with.
 *
 * @example
 * ```ts
 * import { elementwise } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * const scaled = elementwise(
 *   'scaled',
 *   { inputs: { x: 'T', factor: 'T' }, outputs: { y: 'T' } },
 *   'y = x * factor + 1',
 * );
 * using x = await host.array([1, 2, 3], { dtype: 'float32' });
 * using y = (await scaled(host, { x, factor: 2 })).y;
 * console.log(await y.toNested()); // [ 3, 5, 7 ]
 * ```
 */
export function elementwise<const I extends Types, const O extends Types>(
  name: string,
  signature: Signature<I, O>,
  text: string,
): Elementwise<I, O> {
  const { inputs, outputs } = readSignature(name, signature);
  const syntax = parse(text);
  checkNames(syntax, Object.keys(inputs), Object.keys(outputs));
  refuseReductions(syntax);
  const expression = newExpression(name, syntax, Object.keys(inputs), inputs, outputs);
  const compute = (
    backend: Backend,
    values: Operands<I>,
    options?: ComputeOptions & { readonly out?: unknown },
  ) =>
    call(backend, options, (work, out) =>
      requestExpression(work, expression, values, out as OutOf<O> | undefined),
    );
  const prepare = (backend: Backend, values: Operands<I>, options: PrepareOptions) =>
    prepareCall(backend, expression, values, options);
  return Object.assign(compute, { prepare }) as Elementwise<I, O>;
}

/** Reads the names and types of operands and outputs. Throws ERR_ARGUMENT. */
export function readSignature(
  name: string,
  signature: Signature<Types, Types>,
): Signature<Types, Types> {
  if (typeof name !== 'string' || name === '') {
    throw new ArrayInterfaceError('ERR_ARGUMENT', 'name', 'expected a name, got none');
  }
  if (typeof signature !== 'object' || signature === null) {
    throw fault('ERR_ARGUMENT', 'signature', '{ inputs, outputs }', typeof signature);
  }
  const inputs = readTypes(signature.inputs, 'inputs');
  const outputs = readTypes(signature.outputs, 'outputs');
  const both = Object.keys(outputs).find((one) => Object.hasOwn(inputs, one));
  if (both !== undefined) {
    throw fault(
      'ERR_ARGUMENT',
      `outputs.${both}`,
      'a name that no input has',
      `'${both}'`,
      'pass the same array as `out` to compute in place',
    );
  }
  if (Object.keys(outputs).length === 0) {
    throw fault('ERR_ARGUMENT', 'outputs', 'at least one output', 'none');
  }
  return { inputs, outputs };
}

function readTypes(types: Types, path: string): Types {
  if (typeof types !== 'object' || types === null) {
    throw fault('ERR_ARGUMENT', path, 'an object of types by name', typeof types);
  }
  const read = { ...types };
  for (const [name, type] of Object.entries(read)) {
    const own = `${path}.${name}`;
    checkName(name, own);
    if (typeof type === 'string' && (isVariable(type) || CASTS.includes(type as DTypeName)))
      continue;
    const got = typeof type === 'string' ? `'${type}'` : typeof type;
    const expected = 'a dtype of numbers, or a variable with a capital letter';
    throw fault('ERR_ARGUMENT', own, expected, got, didYouMean(String(type), CASTS));
  }
  return read;
}
