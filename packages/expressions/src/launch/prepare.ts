import type { Backend, BackendArray } from '@array-interface/core';
import { type Checks, readOptions, unchecked } from '@array-interface/core/backend';
import { type ComputeOptions, call, OPTIONS, requestExpression, Work } from './call.js';
import type { Expression } from './expression.js';
import { fault } from './operands.js';

/** How a call that is made again and again is computed. */
export type PrepareOptions = Pick<ComputeOptions, 'casting' | 'queue'>;

type Given = PrepareOptions & { readonly out?: Readonly<Record<string, unknown>> };

const { casting, queue } = OPTIONS;
const CHECKS: Checks<Given> = { casting, queue, out: unchecked };

/**
 * Returns a function that makes a call of an expression, whose outputs are all given. Checks and
 * compiles it at once. If it is one launch, the function only launches; else it makes the whole call.
 */
export function prepareCall<A extends BackendArray>(
  backend: Backend<A>,
  expression: Expression,
  given: Readonly<Record<string, unknown>>,
  givenOptions: Given,
): () => Promise<void> {
  const { out: outputs, ...options } = readOptions(givenOptions, CHECKS);
  const [values, out] = [{ ...given }, { ...outputs }];
  const missing = expression.outputNames.find((name) => out[name] === undefined);
  if (missing !== undefined) throw fault('ERR_ARGUMENT', `out.${missing}`, 'an array', 'none');
  const request = (work: Work<A>) => void requestExpression(work, expression, values, out);
  const prepared = prepareLaunch(new Work(backend, options, true), request);
  return () => (prepared === null ? call(backend, options, request) : launch(prepared));
}

function prepareLaunch<A extends BackendArray>(
  noted: Work<A>,
  request: (work: Work<A>) => void,
): (() => Promise<void> | null) | null {
  try {
    request(noted);
    return noted.prepare();
  } finally {
    noted.close();
  }
}

function launch(prepared: () => Promise<void> | null): Promise<void> {
  try {
    return prepared() ?? Promise.resolve();
  } catch (error) {
    return Promise.reject(error);
  }
}
