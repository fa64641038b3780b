import type {
  ArrayDescriptor,
  ArrayLike,
  Backend,
  BackendArray,
  OwnedArray,
} from '@array-interface/core';
import { checkCasting, readOptions, unchecked } from '@array-interface/core/backend';
import type { Casting } from '@array-interface/core/numbers';
import type { OperandValue } from './elementwise.js';
import { type ComputeOptions, call } from './launch/call.js';
import { freeExpression } from './launch/expression.js';
import { callSync } from './launch/sync.js';
import { RESULT } from './meaning/check-names.js';
import { refuseReductions } from './meaning/reductions.js';
import { namesOf, requestText } from './stages/request.js';

const SYNC_OPTIONS = { casting: checkCasting, out: unchecked };

/** The operands of a text, by name. */
export type Values = Readonly<Record<string, OperandValue>>;

/**
 * Computes one expression of arrays and numbers, as numexpr's `evaluate` does: element by element,
 * and with reductions within it, such as `x - mean(x)`.
 *
 * The result has the dtype that NumPy 2 gives it; numbers count less than any array. Text, types and
 * code are kept for the next call. Settles, blocks and rejects as the functions of `elementwise` do.
 * With `out`, writes into that array and resolves to nothing.
 *
 * @example
 * ```ts
 * import { evaluate } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * using x = await host.array([-1, 4, 9], { dtype: 'float32' });
 * using roots = await evaluate(host, 'where(x < 0, 0, sqrt(x))', { x });
 * console.log(await roots.toNested()); // [ 0, 2, 3 ]
 * ```
 */
export function evaluate<A extends BackendArray>(
  backend: Backend<A>,
  text: string,
  values: Values,
  options?: ComputeOptions & { readonly out?: never },
): Promise<OwnedArray<A>>;
/** Writes the result into `out`, with everything else as the call that returns a new array. */
export function evaluate<A extends BackendArray>(
  backend: Backend<A>,
  text: string,
  values: Values,
  options: ComputeOptions & {
    /** The array that is written. */
    readonly out: ArrayLike;
  },
): Promise<void>;
export function evaluate<A extends BackendArray>(
  backend: Backend<A>,
  text: string,
  values: Values,
  options?: ComputeOptions & { readonly out?: ArrayLike },
): Promise<OwnedArray<A> | undefined> {
  return call(backend, options, (work, out) =>
    requestText(work, text, values, out as ArrayLike | undefined),
  );
}

/**
 * Computes one expression in JavaScript's own memory, without a backend, so in browsers too. It has
 * the bits that `evaluate` has on every backend. Blocks until it is done, some nanoseconds for each
 * element and operation.
 *
 * Operands are typed arrays, descriptors over buffers and numbers. Returns a descriptor over a new
 * ArrayBuffer, or that of `out`. Throws as `evaluate` rejects, and ERR_NOT_ACCESSIBLE or
 * ERR_BYTE_ORDER for elements that no typed array holds.
 *
 * @example
 * ```ts
 * import { evaluateSync } from '@array-interface/expressions';
 *
 * const sum = evaluateSync('x + y / 2', { x: Float32Array.of(1, 2), y: 3 });
 * console.log(String(sum.dtype), new Float32Array(sum.buffer as ArrayBuffer)); // float32 Float32Array(2) [ 2.5, 3.5 ]
 * ```
 */
export function evaluateSync(
  text: string,
  values: Values,
  options: {
    /** Which conversions of the result are allowed. Default: `same_kind`. */
    readonly casting?: Casting;
    /** The array that is written. */
    readonly out?: ArrayLike;
  } = {},
): ArrayDescriptor {
  const { casting = 'same_kind', out } = readOptions(options, SYNC_OPTIONS);
  const expression = freeExpression(text, namesOf(values));
  refuseReductions(expression.syntax);
  const given = out === undefined ? {} : { [RESULT]: out };
  return callSync(expression, values, given, casting)[RESULT] as ArrayDescriptor;
}
