import { ArrayInterfaceError, type DTypeName } from '@array-interface/core';
import { type Casting, canCast } from '@array-interface/core/numbers';
import { Builder, MOST_INSTRUCTIONS, pruned } from '../program/builder.js';
import {
  type Input,
  isFloat,
  type Output,
  type Program,
  registersOf,
} from '../program/instruction.js';
import { faultAt } from '../syntax/fault.js';
import type { Named, Node, Span, Statement, Syntax } from '../syntax/node.js';
import { axisOf, CONSTANTS, RESULT } from './check-names.js';
import { cast, FUNCTIONS } from './functions.js';
import { fromHalf, toHalf } from './half.js';
import { type Apply, OPERATORS } from './operators.js';
import { isNotNumber } from './real.js';
import {
  type Context,
  convertTerm,
  exactTerm,
  type RangeCheck,
  type Term,
  termOf,
  workingTypes,
} from './term.js';

/** An operand, as its value counts in the text. */
export interface TypedInput extends Input {
  /** The type in the text, if it is converted to another one. */
  readonly as: DTypeName;
  /** Whether it gives way to arrays, as a number that has no declared type. */
  readonly isWeak: boolean;
}

/** An output. */
export interface TypedOutput extends Named {
  /** Null: that of what is assigned. */
  readonly type: DTypeName | null;
  /** The type of the elements, if it is another one. */
  readonly stored: DTypeName | null;
  readonly casting: Casting;
  /** Whether a NaN keeps its bits, as in what only programs read. */
  readonly keepsNaN?: boolean;
}

/** What a text means for operands of these types. */
export interface Meaning {
  readonly program: Program;
  /** What numbers must fit before a launch. The registers are those of `program`. */
  readonly checks: readonly RangeCheck[];
}

/**
 * Returns what a text means for operands of these types; `checkNames` has checked its names. Throws
 * ERR_ARGUMENT that shows the line with a mark under the fault, and ERR_CASTING for an output.
 */
export function meaningOf(
  syntax: Syntax,
  inputs: readonly TypedInput[],
  outputs: readonly TypedOutput[],
): Meaning {
  return new Reader(syntax, inputs, outputs).read();
}

class Reader {
  readonly #syntax: Syntax;
  readonly #inputs: readonly TypedInput[];
  readonly #wanted: ReadonlyMap<string, TypedOutput>;
  readonly #context: Context;
  readonly #names = new Map<string, Term>();
  readonly #terms: Term[] = [];
  readonly #outputs: Output[] = [];
  #axes = 0;

  constructor(syntax: Syntax, inputs: readonly TypedInput[], outputs: readonly TypedOutput[]) {
    this.#syntax = syntax;
    this.#inputs = inputs;
    this.#wanted = new Map(outputs.map((output) => [output.name, output]));
    this.#context = { builder: new Builder(), text: syntax.text, checks: [] };
    for (const [index, input] of inputs.entries())
      this.#names.set(input.name, this.#load(input, index));
  }

  read(): Meaning {
    let next = 0;
    for (const statement of this.#syntax.statements) {
      for (; next <= statement.value; next++) this.#terms.push(this.#termOf(this.#nodeAt(next)));
      this.#end(statement);
    }
    const { builder, checks } = this.#context;
    // What is checked is needed even if a choice leaves it out.
    const kept = checks.map(({ register }) => ({
      name: '',
      type: 'int64' as const,
      registers: [register],
    }));
    const { instructions, outputs } = pruned(builder.instructions, [...this.#outputs, ...kept]);
    const count = this.#outputs.length;
    const registers = outputs.slice(count).map((one) => one.registers[0] as number);
    return {
      program: {
        instructions,
        inputs: this.#inputs.map(({ name, type, isArray }) => ({ name, type, isArray })),
        outputs: outputs.slice(0, count),
        axes: this.#axes,
      },
      checks: checks.map(({ type }, index) => ({ register: registers[index] as number, type })),
    };
  }

  #load({ type, as, isArray, isWeak }: TypedInput, index: number): Term {
    const { builder: b } = this.#context;
    const loaded = registersOf(type).map((register, part) =>
      isArray ? b.load(index, part, register) : b.scalar(index, register),
    );
    const parts = type === 'float16' ? [fromHalf(b, loaded[0] as number)] : loaded;
    const span = { start: 0, end: 0 };
    const term: Term = { type, isWeak: isWeak && type === as, parts };
    if (type === as) return term;
    return convertTerm(this.#context, { ...term, isWeak: !isArray }, as, span);
  }

  #termOf(node: Node): Term {
    const term = this.#meaningOf(node);
    if (this.#context.builder.instructions.length > MOST_INSTRUCTIONS) {
      throw faultAt(
        this.#syntax.text,
        node,
        `a program of at most ${MOST_INSTRUCTIONS} instructions`,
        'a longer one',
        'use several expressions',
      );
    }
    return term;
  }

  #meaningOf(node: Node): Term {
    switch (node.kind) {
      case 'integer':
        return exactTerm(this.#context, node.value, node);
      case 'float':
        return termOf('float64', this.#context.builder.constant('float64', node.value), true);
      case 'name':
        return this.#nameOf(node.name);
      case 'call':
        return this.#call(node);
      case 'operator': {
        const isUnary = node.operands.length === 1 && '+-'.includes(node.operator);
        const apply = isUnary ? OPERATORS[`u${node.operator}` as 'u-'] : OPERATORS[node.operator];
        return this.#apply(apply, node.operands);
      }
    }
  }

  #apply(apply: Apply, operands: readonly number[]): Term {
    const terms = operands.map((one) => this.#terms[one] as Term);
    return apply(
      this.#context,
      terms,
      operands.map((one) => this.#nodeAt(one)),
    );
  }

  #call({ name: { name }, operands }: Node & { readonly kind: 'call' }): Term {
    const known = FUNCTIONS.get(name);
    if (known !== undefined) return this.#apply(known.apply, operands);
    const [operand] = operands as [number];
    return cast(
      this.#context,
      this.#terms[operand] as Term,
      name as DTypeName,
      this.#nodeAt(operand),
    );
  }

  #nameOf(name: string): Term {
    const { builder: b } = this.#context;
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const constant = CONSTANTS.get(name);
    if (typeof constant === 'boolean')
      return termOf('bool', b.constant('bool', Number(constant)), true);
    if (constant !== undefined) return termOf('float64', b.constant('float64', constant), true);
    const axis = axisOf(name) as number;
    this.#axes = Math.max(this.#axes, axis + 1);
    return termOf('int64', b.index(axis));
  }

  #end({ kind, name, value }: Statement): void {
    const term = this.#terms[value] as Term;
    if (kind === 'let') this.#names.set(name, term);
    else this.#assign(this.#wanted.get(name || RESULT) as TypedOutput, term, this.#nodeAt(value));
  }

  #assign(output: TypedOutput, value: Term, span: Span): void {
    const { name, type, stored, casting, keepsNaN = false } = output;
    const typed = type === null ? value : this.#convertOutput(name, value, type, casting, span);
    const term = stored === null ? typed : this.#convertOutput(name, typed, stored, casting, span);
    const { builder: b } = this.#context;
    const own = convertTerm(this.#context, term, term.type, span);
    if (own.type === 'float16') {
      const half = toHalf(b, own.parts[0] as number);
      this.#outputs.push({ name, type: 'float16', registers: [half] });
      this.#names.set(name, { ...own, parts: [fromHalf(b, half)] });
      return;
    }
    const registers = own.parts.map((part) => (keepsNaN ? part : withoutPayload(b, part)));
    this.#outputs.push({ name, type: own.type, registers });
    this.#names.set(
      name,
      stored === null ? own : convertTerm(this.#context, typed, typed.type, span),
    );
  }

  #convertOutput(name: string, term: Term, type: DTypeName, casting: Casting, span: Span): Term {
    if (isAllowed(term, type, casting)) return convertTerm(this.#context, term, type, span);
    const cure = `write '${type}(…)', or pass { casting: 'unsafe' }`;
    const message = `expected a value that '${casting}' converts to ${type}, got ${term.type}; ${cure}`;
    throw new ArrayInterfaceError('ERR_CASTING', name, message);
  }

  #nodeAt(index: number): Node {
    return this.#syntax.nodes[index] as Node;
  }
}

/** NaN has no sign and no payload. */
function withoutPayload(b: Builder, part: number): number {
  const type = b.typeOf(part);
  if (!isFloat(type) || b.valueOf(part) !== undefined) return part;
  return b.select(isNotNumber(b, part), b.constant(type, Number.NaN), part);
}

const WEAK_ORDER: readonly DTypeName[] = ['bool', 'int64', 'float64'];

function isAllowed(term: Term, to: DTypeName, casting: Casting): boolean {
  if (!term.isWeak || casting === 'unsafe') return canCast(term.type, to, casting);
  // A number without a type may become any type of its kind or of one above it.
  const kind = to === 'bool' ? 0 : workingTypes(to).some(isFloat) ? 2 : 1;
  return WEAK_ORDER.indexOf(term.type) <= kind;
}
