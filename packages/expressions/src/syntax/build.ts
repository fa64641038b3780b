import type { Node, Statement, Syntax } from './node.js';

const NOWHERE = { start: 0, end: 0 };

/** Returns the statements of one text behind those of another, in which faults are shown. */
export function behind(before: Syntax, { text, nodes, statements }: Syntax): Syntax {
  const shift = before.nodes.length;
  return {
    text,
    nodes: [...before.nodes, ...nodes.map((node) => withOperands(node, (one) => one + shift))],
    statements: [
      ...before.statements,
      ...statements.map((one) => ({ ...one, value: one.value + shift })),
    ],
  };
}

/** Returns a node with other operands. */
export function withOperands(node: Node, operandOf: (operand: number) => number): Node {
  if (node.kind !== 'operator' && node.kind !== 'call') return node;
  return { ...node, operands: node.operands.map(operandOf) };
}

/** Returns `let name = type(value)`. */
export function letOf(name: string, value: number | bigint | boolean, type: string): Syntax {
  const call: Node = {
    kind: 'call',
    name: { name: type, ...NOWHERE },
    operands: [0],
    options: [],
    ...NOWHERE,
  };
  const statement: Statement = { kind: 'let', name, span: NOWHERE, value: 1 };
  return { text: '', nodes: [numberOf(value), call], statements: [statement] };
}

/** Returns a number of a text. */
export function numberOf(value: number | bigint | boolean): Node {
  if (typeof value === 'number' && !Number.isInteger(value))
    return { kind: 'float', value, ...NOWHERE };
  return Object.is(value, -0)
    ? { kind: 'float', value: -0, ...NOWHERE }
    : { kind: 'integer', value: BigInt(value), ...NOWHERE };
}
