import { type Expression, newExpression, OWN_TYPE } from '../launch/expression.js';
import { CONSTANTS, RESULT } from '../meaning/check-names.js';
import { type Call, isReduction } from '../meaning/reductions.js';
import type { Node, Syntax } from '../syntax/node.js';
import { type Graph, graphOf, operandsOf, partOf } from './graph.js';

/** One launch of a text: a reduction with what is done with each element before, and with its result. */
export interface ReductionStage {
  readonly call: Call;
  /** What later stages call its result. */
  readonly name: string;
  /** The operands, and results of earlier stages. */
  readonly inputs: readonly string[];
  /** What is reduced. */
  readonly map: Syntax;
  /** What becomes of the reduction, which is `REDUCED`. */
  readonly post: Syntax;
}

/** The last launch, if it is none of a reduction. */
interface ElementwiseStage {
  readonly call: null;
  readonly inputs: readonly string[];
  readonly expression: Expression;
}

export type Stage = ReductionStage | ElementwiseStage;

/** The name of a reduction in what is done with its result. */
export const REDUCED = '$result';

/** What depends on elements, or on several reductions. */
const VARIES = -1;

const known = new WeakMap<Expression, Map<string, readonly Stage[]>>();

/** Returns the launches of a text, which are kept. It depends on which operands are arrays. */
export function stagesOf(
  expression: Expression,
  isArray: (name: string) => boolean,
): readonly Stage[] {
  const own = known.get(expression) ?? new Map<string, readonly Stage[]>();
  known.set(expression, own);
  const key = expression.inputs.filter(isArray).join();
  const stages = own.get(key) ?? cut(expression, isArray);
  own.set(key, stages);
  return stages;
}

/**
 * Cuts a text into launches. A reduction takes along what its elements are made of, and all that
 * depends on it and on numbers alone, if that is one value.
 */
function cut({ syntax, inputs }: Expression, isArray: (name: string) => boolean): Stage[] {
  const graph = graphOf(syntax);
  const { nodes, root } = graph;
  const users = usersOf(graph);
  const sources = sourcesOf(graph, (name) =>
    inputs.includes(name) ? !isArray(name) : CONSTANTS.has(name),
  );
  const reductions = [...users.keys()]
    .filter((one) => isReduction(nodes[one] as Node))
    .sort((a, b) => a - b);
  const names = new Map<number, string>();
  const named = (part: Syntax) => inputsOf(part, [...inputs, ...names.values()]);
  const stages: Stage[] = [];
  for (const reduction of reductions) {
    const call = nodes[reduction] as Call;
    const exit = exitOf(reduction, sources, users, root);
    const map = partOf(graph, call.operands[0] as number, names);
    const post = partOf(graph, exit, new Map([[reduction, REDUCED]]));
    const name = `$${stages.length + 1}`;
    stages.push({ call, name, inputs: [...new Set([...named(map), ...named(post)])], map, post });
    names.set(exit, name);
  }
  if (names.has(root)) return stages;
  const rest = partOf(graph, root, names);
  const own = named(rest);
  const expression = newExpression('evaluate', rest, own, null, { [RESULT]: OWN_TYPE });
  return [...stages, { call: null, inputs: own, expression }];
}

/** Returns the nodes that use each node that the result needs. */
function usersOf({ nodes, root }: Graph): ReadonlyMap<number, readonly number[]> {
  const users = new Map<number, number[]>([[root, []]]);
  for (let index = root; index >= 0; index--) {
    if (!users.has(index)) continue;
    for (const one of operandsOf(nodes[index] as Node))
      users.set(one, [...(users.get(one) ?? []), index]);
  }
  return users;
}

/** Returns the only reduction on which each node depends besides numbers, none, or `VARIES`. */
function sourcesOf(
  { nodes }: Graph,
  isNumber: (name: string) => boolean,
): readonly (number | undefined)[] {
  const sources: (number | undefined)[] = [];
  for (const [index, node] of nodes.entries()) {
    const own = operandsOf(node)
      .map((one) => sources[one])
      .filter((one) => one !== undefined);
    const isSame = own.every((one) => one === own[0]);
    if (isReduction(node)) sources.push(index);
    else if (node.kind === 'name' && !isNumber(node.name)) sources.push(VARIES);
    else sources.push(isSame ? own[0] : VARIES);
  }
  return sources;
}

/** Returns the only value of a reduction, or of what depends on it alone, that others use. */
function exitOf(
  reduction: number,
  sources: readonly (number | undefined)[],
  users: ReadonlyMap<number, readonly number[]>,
  root: number,
): number {
  const exits = [...users].filter(([index, own]) => {
    if (sources[index] !== reduction) return false;
    return index === root || own.some((one) => sources[one] !== reduction);
  });
  return exits.length === 1 ? (exits[0]?.[0] as number) : reduction;
}

function inputsOf({ nodes }: Syntax, names: readonly string[]): string[] {
  const used = new Set(nodes.flatMap((node) => (node.kind === 'name' ? [node.name] : [])));
  return names.filter((name) => used.has(name));
}
