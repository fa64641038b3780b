import type { ArrayDescriptor, ArrayLike, BackendArray, OwnedArray } from '@array-interface/core';
import { requestExpression, requestOperands, type Work } from '../launch/call.js';
import { type Expression, freeExpression } from '../launch/expression.js';
import { fault, type Operand, readOperands, readOutputs } from '../launch/operands.js';
import { typeInputs } from '../launch/types.js';
import { RESULT } from '../meaning/check-names.js';
import { requestReduction } from '../reduce/call.js';
import { stagesOf } from './cut.js';
import { definitionOf, optionsOf } from './lift.js';

/** Requests a text as a part of some work. With `out`, it is written; else the new array is returned. */
export function requestText<A extends BackendArray>(
  work: Work<A>,
  text: string,
  values: Readonly<Record<string, unknown>>,
  out?: ArrayLike,
): OwnedArray<A> | undefined {
  const expression = freeExpression(text, namesOf(values));
  const given = out === undefined ? undefined : { [RESULT]: out };
  if (expression.hasReductions) return requestStages(work, expression, values, given ?? {})[RESULT];
  return requestExpression(work, expression, values, given)[RESULT];
}

/** Returns the names of operands. Throws ERR_ARGUMENT. */
export function namesOf(values: Readonly<Record<string, unknown>>): string[] {
  if (typeof values === 'object' && values !== null) return Object.keys(values);
  throw fault('ERR_ARGUMENT', 'values', 'an object of arrays by name', typeof values);
}

/** Requests a text with reductions as a part of some work: launch after launch. Returns the new arrays. */
function requestStages<A extends BackendArray>(
  work: Work<A>,
  expression: Expression,
  values: Readonly<Record<string, unknown>>,
  out: Readonly<Record<string, unknown>>,
): Record<string, OwnedArray<A>> {
  const { casting = 'same_kind' } = work.options;
  const describe = (value: ArrayLike, name: string) => work.describe(value, name);
  const operands = new Map(
    readOperands(expression.inputs, values, describe).map((one) => [one.name, one]),
  );
  const targets = readOutputs(expression.outputNames, out, describe);
  const stages = stagesOf(expression, (name) => operands.get(name)?.array !== null);
  for (const stage of stages) {
    const own = stage.inputs.map((name) => operands.get(name) as Operand);
    if (stage.call === null) return requestOperands(work, stage.expression, own, targets, casting);
    const { name } = stage;
    const isLast = stage === stages.at(-1);
    const { axis, keepdims: keepDims = false } = optionsOf(stage);
    const definition = definitionOf(stage, typeInputs(own, null, casting).inputs);
    const call = {
      definition,
      operands: own,
      given: isLast ? targets : [],
      casting,
      axis,
      keepDims,
    };
    const { arrays, made } = requestReduction(work, call, !isLast);
    if (isLast) return made;
    operands.set(name, { name, array: arrays[0] as ArrayDescriptor, scalar: 0 });
  }
  return {};
}
