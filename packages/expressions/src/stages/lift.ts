import type { DTypeName } from '@array-interface/core';
import { OWN_TYPE } from '../launch/expression.js';
import { CONSTANTS, RESULT } from '../meaning/check-names.js';
import { meaningOf, type TypedInput } from '../meaning/meaning-of.js';
import {
  type ReductionName,
  type ReductionOptions,
  readReductionOptions,
} from '../meaning/reductions.js';
import { kindOf } from '../meaning/term.js';
import { type Definition, type Part, readDefinition } from '../reduce/definition.js';
import { READY_MADE } from '../reduce/ready-made.js';
import { behind, numberOf } from '../syntax/build.js';
import { faultAt } from '../syntax/fault.js';
import type { Node, Span, Statement, Syntax } from '../syntax/node.js';
import { REDUCED, type ReductionStage } from './cut.js';

const X = '$x';

const known = new WeakMap<ReductionStage, Map<string, Definition>>();

/** Returns the options of a stage's reduction. */
export function optionsOf({ call, map: { text } }: ReductionStage): ReductionOptions {
  return readReductionOptions(text, call);
}

/** Returns the reduction of a stage for operands of these types, which is kept. */
export function definitionOf(stage: ReductionStage, inputs: readonly TypedInput[]): Definition {
  const own = known.get(stage) ?? new Map<string, Definition>();
  known.set(stage, own);
  const key = JSON.stringify(inputs);
  const kept = own.get(key) ?? lift(stage, inputs);
  own.set(key, kept);
  return kept;
}

/** Returns a ready-made reduction within a text, whose faults are shown there. */
function lift(stage: ReductionStage, inputs: readonly TypedInput[]): Definition {
  const { call, map, post } = stage;
  const { text } = map;
  const { dtype, ...options } = optionsOf(stage);
  const name = call.name.name as ReductionName;
  const { make, isOfReals, numbers } = READY_MADE[name];
  const type = typeOf(map, inputs);
  if (isOfReals && kindOf(type) === 'complex') {
    const span = map.statements[0]?.span as Span;
    throw faultAt(text, span, `real numbers for ${name}`, type, "reduce 'real(…)' and 'imag(…)'");
  }
  const { steps, method } = make(type, dtype);
  const declared = {
    x: type,
    ...Object.fromEntries(Object.keys(numbers).map((one) => [one, 'float64'])),
  };
  const base = readDefinition(name, declared, { [RESULT]: type }, steps);
  const values = new Map(
    Object.entries({ ...numbers, ...options }).flatMap(([one, value]) =>
      typeof value === 'number' ? [[one, value] as const] : [],
    ),
  );
  const own = (part: Part) => lifted(part, call, text, values);
  const axis = call.options.find((one) => one.name === 'axis') ?? call;
  return {
    ...base,
    inputs: stage.inputs,
    declared: {},
    outputs: { [RESULT]: OWN_TYPE },
    accumulators: base.accumulators.map(hidden),
    names: base.names.map(([a, b, to]) => [hidden(a), hidden(b), to === RESULT ? to : hidden(to)]),
    map: joined(map, X, own(base.map)),
    reduce: own(base.reduce),
    post: joined(own(base.post).syntax, REDUCED, { ...own(base.post), syntax: post }),
    identity:
      base.identity && new Map([...base.identity].map(([one, value]) => [hidden(one), value])),
    method,
    count: hidden(base.count),
    position: hidden(base.position),
    faultOf: (path, ...said) => faultAt(text, path.startsWith('axis') ? axis : call, ...said),
    known: new Map(),
  };
}

/** The type of what is reduced. */
function typeOf(map: Syntax, inputs: readonly TypedInput[]): DTypeName {
  const output = { name: RESULT, type: null, stored: null, casting: 'same_kind' } as const;
  return meaningOf(map, inputs, [output]).program.outputs[0]?.type as DTypeName;
}

/** A name of a ready-made text that no operand can have. */
function hidden(name: string): string {
  return `$${name}`;
}

/** Returns a ready-made text whose names are hidden, some of them numbers, and whose place is a call. */
function lifted(
  { syntax, used }: Part,
  { start, end }: Span,
  text: string,
  numbers: ReadonlyMap<string, number>,
): Part {
  const at = { start, end };
  const nodes = syntax.nodes.map((node): Node => {
    if (node.kind !== 'name' || CONSTANTS.has(node.name)) return { ...node, ...at };
    const number = numbers.get(node.name);
    return number === undefined
      ? { ...node, name: hidden(node.name), ...at }
      : { ...numberOf(number), ...at };
  });
  const statements = syntax.statements.map((one) =>
    one.kind === 'result' ? one : { ...one, name: hidden(one.name) },
  );
  return {
    label: 'text',
    syntax: { text, nodes, statements },
    used: new Set([...used].map(hidden)),
  };
}

/** Returns a text whose result another one calls by a name. */
function joined(first: Syntax, name: string, { label, syntax, used }: Part): Part {
  const statements = first.statements.map(
    (one): Statement => (one === first.statements.at(-1) ? { ...one, kind: 'let', name } : one),
  );
  const names = [...first.nodes, ...syntax.nodes].flatMap((node) =>
    node.kind === 'name' ? [node.name] : [],
  );
  return {
    label,
    syntax: behind({ ...first, statements }, syntax),
    used: new Set([...used, ...names]),
  };
}
