import type { Backend, BackendArray, OwnedArray } from '@array-interface/core';
import { readOptions } from '@array-interface/core/backend';
import {
  type OperandValue,
  type OutOf,
  readSignature,
  type Signature,
  type Types,
} from './elementwise.js';
import { callReduction, REDUCE_OPTIONS, type ReduceOptions } from './reduce/call.js';
import { readDefinition, type Steps } from './reduce/definition.js';
import { callScan, SCAN_OPTIONS, type ScanOptions } from './reduce/scan.js';

/** A function that reduces arrays, made by `reduction`. */
export type Reduction<I extends Types, O extends Types> = <
  A extends BackendArray,
  const Out extends OutOf<O> = Record<never, never>,
>(
  backend: Backend<A>,
  values: { readonly [Name in keyof I]: OperandValue },
  options?: ReduceOptions & {
    /** Arrays that are written in place of new ones. */
    readonly out?: Out & { readonly [Name in Exclude<keyof Out, keyof O>]: never };
  },
) => Promise<{ readonly [Name in Exclude<keyof O, keyof Out>]: OwnedArray<A> }>;

/**
 * Makes a function that combines the elements of arrays along axes, of texts in the language of
 * `elementwise`. Reads the texts once; compiles nothing yet.
 *
 * `map` says what an element becomes, `reduce` what two values `a` and `b` become, and `post` what
 * the outputs are. Elements are combined in an order that depends on their number alone, pairwise,
 * so floats have the same bits every time, on every backend and in every layout. The function
 * broadcasts its operands, reduces `axis` (default: all axes) and settles with the new arrays once
 * the work is enqueued, as `launch` does. It does not block. Throws ERR_ARGUMENT with a mark under
 * the fault of a text. Calls reject as those of `elementwise` do, with ERR_ARGUMENT for no elements
 * without an `identity`, and with ERR_OVERLAP for an output that is an input of other outputs.
 *
 * @example
 * ```ts
 * import { reduction } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * const norm = reduction(
 *   'norm',
 *   { inputs: { x: 'T' }, outputs: { y: 'T' } },
 *   { map: 'x * x', reduce: 'a + b', identity: 0, post: 'y = sqrt(a)' },
 * );
 * using x = await host.array([[3, 4], [6, 8]], { dtype: 'float32' });
 * using lengths = (await norm(host, { x }, { axis: -1 })).y;
 * console.log(await lengths.toNested()); // [ 5, 10 ]
 * ```
 */
export function reduction<const I extends Types, const O extends Types>(
  name: string,
  signature: Signature<I, O>,
  steps: Steps,
): Reduction<I, O> {
  const { inputs, outputs } = readSignature(name, signature);
  const definition = readDefinition(name, inputs, outputs, steps);
  const choice = { inputs: definition.inputs, outputs: Object.keys(outputs), of: () => definition };
  return (async (backend, values, { out = {}, ...options } = {}) =>
    callReduction(choice, backend, values, out, readOptions(options, REDUCE_OPTIONS))) as Reduction<
    I,
    O
  >;
}

/** A function that scans arrays, made by `scan`. */
export type Scan<I extends Types, O extends Types> = <
  A extends BackendArray,
  const Out extends OutOf<O> = Record<never, never>,
>(
  backend: Backend<A>,
  values: { readonly [Name in keyof I]: OperandValue },
  options?: ScanOptions & {
    /** Arrays that are written in place of new ones. */
    readonly out?: Out & { readonly [Name in Exclude<keyof Out, keyof O>]: never };
  },
) => Promise<{ readonly [Name in Exclude<keyof O, keyof Out>]: OwnedArray<A> }>;

/**
 * Makes a function that combines each element of arrays with all before it along an axis, of the
 * texts of `reduction`. `exclusive` leaves out the element itself; `includeInitial` begins with the
 * identity.
 *
 * Floats have the same bits every time, on every backend and in every layout: elements are combined
 * one after another in leaves whose length depends on their number alone, and then with the totals of
 * the leaves before. `reduce` has to be associative, apart from rounding. Settles, blocks, throws and
 * rejects as `reduction` does.
 *
 * @example
 * ```ts
 * import { scan } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * const highest = scan(
 *   'highest',
 *   { inputs: { x: 'T' }, outputs: { y: 'T' } },
 *   { map: 'x', reduce: 'maximum(a, b)' },
 * );
 * using x = await host.array([3, 1, 4, 1, 5], { dtype: 'int32' });
 * using y = (await highest(host, { x })).y;
 * console.log(await y.toNested()); // [ 3, 3, 4, 4, 5 ]
 * ```
 */
export function scan<const I extends Types, const O extends Types>(
  name: string,
  signature: Signature<I, O>,
  steps: Steps,
): Scan<I, O> {
  const { inputs, outputs } = readSignature(name, signature);
  const definition = readDefinition(name, inputs, outputs, steps);
  const choice = { inputs: definition.inputs, outputs: Object.keys(outputs), of: () => definition };
  return (async (backend, values, { out = {}, ...options } = {}) =>
    callScan(choice, backend, values, out, readOptions(options, SCAN_OPTIONS))) as Scan<I, O>;
}
