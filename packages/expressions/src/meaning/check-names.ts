import { ArrayInterfaceError } from '@array-interface/core';
import { didYouMean, faultAt, quoted } from '../syntax/fault.js';
import type { Node, Statement, Syntax } from '../syntax/node.js';
import { CASTS, FUNCTIONS } from './functions.js';
import { assertNoOptions, isReduction, REDUCTIONS, readReductionOptions } from './reductions.js';

/** The name of the output of a text that assigns none. */
export const RESULT = 'result';

/** Names that are numbers, unless an operand has them. */
export const CONSTANTS: ReadonlyMap<string, number | boolean> = new Map<string, number | boolean>([
  ['true', true],
  ['false', false],
  ['inf', Number.POSITIVE_INFINITY],
  ['nan', Number.NaN],
  ['pi', Math.PI],
  ['e', Math.E],
]);

/** As many as an array has in NumPy. */
const MOST_AXES = 64;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Throws ERR_ARGUMENT for what cannot be the name of an operand or output. */
export function checkName(name: string, path: string): void {
  if (NAME.test(name) && name !== 'let' && name !== '__proto__') return;
  const message = `expected a name of letters, digits and _, got ${quoted(name)}`;
  throw new ArrayInterfaceError('ERR_ARGUMENT', path, message);
}

/** Returns the axis of an index of the element, `i0` to `i63`. Null for another name. */
export function axisOf(name: string): number | null {
  const axis = Number(/^i(0|[1-9]\d?)$/.exec(name)?.[1] ?? MOST_AXES);
  return axis < MOST_AXES ? axis : null;
}

/** Returns how many operands a function or a cast has. Undefined for an unknown name. */
function countOf(name: string): number | undefined {
  if (REDUCTIONS.has(name) || CASTS.some((one) => one === name)) return 1;
  return FUNCTIONS.get(name)?.count;
}

/**
 * Checks that a text uses names that it knows: operands, each at least once, outputs, each assigned
 * once, and functions with their number of operands. `others` are operands that it may leave out.
 * Throws ERR_ARGUMENT that shows the line. Returns the operands that it uses.
 */
export function checkNames(
  syntax: Syntax,
  inputs: readonly string[],
  outputs: readonly string[],
  others: readonly string[] = [],
): ReadonlySet<string> {
  const names = new Set([...inputs, ...others]);
  const assigned = new Set<string>();
  const used = new Set<string>();
  let next = 0;
  for (const statement of syntax.statements) {
    for (; next <= statement.value; next++) {
      const node = syntax.nodes[next] as Node;
      if (node.kind === 'call') checkCall(syntax, node);
      if (node.kind !== 'name') continue;
      used.add(node.name);
      if (!names.has(node.name)) checkConstant(syntax, node, names, outputs);
    }
    const name = define(syntax, statement, names, outputs);
    if (statement.kind !== 'let') assigned.add(name);
    if (statement.kind !== 'result') names.add(name);
  }
  const end = { start: syntax.text.length, end: syntax.text.length };
  const missing = outputs.find((name) => !assigned.has(name));
  if (missing !== undefined) {
    const expected =
      missing === RESULT ? 'an expression at the end' : `a statement '${missing} = …'`;
    throw faultAt(syntax.text, end, expected, 'the end');
  }
  const unused = inputs.find((name) => !used.has(name));
  if (unused === undefined) return used;
  const cure = `leave out '${unused}', or use it`;
  throw faultAt(syntax.text, end, `each operand in the text`, `none of '${unused}'`, cure);
}

function checkCall({ text }: Syntax, node: Node & { kind: 'call' }): void {
  const { name, operands, start, end } = node;
  const count = countOf(name.name);
  if (count === undefined) {
    const cure = didYouMean(name.name, [...FUNCTIONS.keys(), ...CASTS, ...REDUCTIONS.keys()]);
    throw faultAt(text, name, 'the name of a function or of a dtype', quoted(name.name), cure);
  }
  if (isReduction(node)) readReductionOptions(text, node);
  else assertNoOptions(text, node);
  if (operands.length === count) return;
  const expected = `${count} ${count === 1 ? 'operand' : 'operands'} of ${name.name}`;
  throw faultAt(text, { start, end }, expected, String(operands.length));
}

function checkConstant(
  { text }: Syntax,
  node: Node & { kind: 'name' },
  names: ReadonlySet<string>,
  outputs: readonly string[],
): void {
  const { name } = node;
  if (CONSTANTS.has(name) || axisOf(name) !== null) return;
  let cure = didYouMean(name, [...names, ...CONSTANTS.keys()]);
  if (outputs.includes(name)) cure = 'it has no value before it is assigned';
  else if (countOf(name) !== undefined) cure = `write '${name}(…)'`;
  throw faultAt(text, node, 'the name of an operand', quoted(name), cure);
}

/** Checks what a statement defines, and returns its name. */
function define(
  { text, statements }: Syntax,
  statement: Statement,
  names: ReadonlySet<string>,
  outputs: readonly string[],
): string {
  const { kind, span } = statement;
  const name = kind === 'result' ? RESULT : statement.name;
  if (kind === 'let') {
    if (!names.has(name) && !outputs.includes(name)) return name;
    throw faultAt(text, span, 'a new name', `${quoted(name)}, which is known`);
  }
  if (!outputs.includes(name)) {
    const isResult = kind === 'result';
    const expected = isResult ? "a statement 'name = …'" : 'the name of an output';
    const cure = isResult
      ? `the outputs are ${outputs.join(', ')}`
      : (didYouMean(name, outputs) ?? `write 'let ${name} = …' for a value of its own`);
    throw faultAt(text, span, expected, isResult ? 'an expression' : quoted(name), cure);
  }
  const first = statements.find((one) => one.kind !== 'let' && (one.name || RESULT) === name);
  if (first === statement) return name;
  throw faultAt(text, span, 'one assignment to each output', `another one to ${quoted(name)}`);
}
