import { RESULT } from '../meaning/check-names.js';
import { withOperands } from '../syntax/build.js';
import type { Node, Syntax } from '../syntax/node.js';

/** A text without its names for parts: nodes of the same meaning are one. */
export interface Graph {
  readonly text: string;
  /** Operands stand before what uses them. */
  readonly nodes: readonly Node[];
  /** The node of the result. */
  readonly root: number;
}

/** Returns the graph of a text with one result. */
export function graphOf({ text, nodes, statements }: Syntax): Graph {
  const made: Node[] = [];
  const known = new Map<string, number>();
  const names = new Map<string, number>();
  const places: number[] = [];
  const add = (node: Node): number => {
    const named = node.kind === 'name' ? names.get(node.name) : undefined;
    if (named !== undefined) return named;
    const own = withOperands(node, (one) => places[one] as number);
    const key = keyOf(own);
    const place = known.get(key) ?? made.push(own) - 1;
    known.set(key, place);
    return place;
  };
  for (const { name, value } of statements) {
    while (places.length <= value) places.push(add(nodes[places.length] as Node));
    names.set(name || RESULT, places[value] as number);
  }
  return { text, nodes: made, root: names.get(RESULT) as number };
}

function keyOf(node: Node): string {
  switch (node.kind) {
    case 'name':
      return node.name;
    case 'operator':
      return `${node.operator}(${node.operands})`;
    case 'call': {
      const options = node.options.map(({ name, value }) => `${name}=${value}`).sort();
      return `${node.name.name}(${[...node.operands, ...options]})`;
    }
    default:
      return `${node.kind} ${node.value}`;
  }
}

/** Returns a part of a graph as a text of its own. Some nodes are names there: of other parts. */
export function partOf(
  { text, nodes }: Graph,
  root: number,
  named: ReadonlyMap<number, string>,
): Syntax {
  const needed = new Set([root]);
  for (let index = root; index >= 0; index--) {
    if (needed.has(index) && !named.has(index))
      for (const one of operandsOf(nodes[index] as Node)) needed.add(one);
  }
  const places = new Map<number, number>();
  const made: Node[] = [];
  for (const index of [...needed].sort((a, b) => a - b)) {
    const node = nodes[index] as Node;
    const name = named.get(index);
    const { start, end } = node;
    const own =
      name === undefined
        ? withOperands(node, (one) => places.get(one) as number)
        : ({ kind: 'name', name, start, end } as const);
    places.set(index, made.push(own) - 1);
  }
  const value = made.length - 1;
  const span = made[value] as Node;
  return { text, nodes: made, statements: [{ kind: 'result', name: '', span, value }] };
}

/** Returns the operands of a node. */
export function operandsOf(node: Node): readonly number[] {
  return node.kind === 'operator' || node.kind === 'call' ? node.operands : [];
}
