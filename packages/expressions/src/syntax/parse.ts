import { ArrayInterfaceError } from '@array-interface/core';
import { faultAt, quoted } from './fault.js';
import type { Literal, Node, Operator, Option, Span, Statement, Syntax } from './node.js';
import { MOST_CHARACTERS, type Token, tokensOf } from './tokens.js';

/** Maximum levels of parentheses, functions, signs, choices and powers within one another. */
const MOST_LEVELS = 256;

const COMPARISONS: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];
const BITS: readonly string[] = ['&', '^', '|'];
/** The operators with two operands that group from the left, the weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  COMPARISONS,
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '//', '%'],
];
const COMPARISON_LEVEL = 2;
const UNARY: readonly string[] = ['-', '+', '~', '!'];

/**
 * Parses a text. Throws ERR_ARGUMENT that shows the line with a mark under the fault. Takes time in
 * proportion to the length of the text, which is limited.
 */
export function parse(text: string): Syntax {
  if (typeof text !== 'string') {
    throw new ArrayInterfaceError('ERR_ARGUMENT', 'text', `expected a text, got a ${typeof text}`);
  }
  if (text.length > MOST_CHARACTERS) {
    const message = `expected at most ${MOST_CHARACTERS} characters, got ${text.length}; use several expressions`;
    throw new ArrayInterfaceError('ERR_ARGUMENT', 'text', message);
  }
  return new Parser(text).parse();
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #nodes: Node[] = [];
  /** Nodes in parentheses. */
  readonly #closed = new Set<number>();
  #at = 0;
  #level = 0;
  /** Open parentheses, in which line ends do not count. */
  #open = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  parse(): Syntax {
    const statements: Statement[] = [];
    while (true) {
      while (this.#take(';'));
      if (this.#peek().kind === 'end') break;
      const last = statements.at(-1);
      if (last?.kind === 'result') {
        const got = 'another statement after it';
        throw faultAt(this.#text, last.span, "a statement 'name = …'", got);
      }
      statements.push(this.#statement());
      const next = this.#peek();
      if (next.kind !== 'end' && next.word !== ';')
        throw this.#unexpected('an operator, or the end');
    }
    if (statements.length === 0) throw this.#unexpected('an expression');
    return { text: this.#text, nodes: this.#nodes, statements };
  }

  #statement(): Statement {
    const first = this.#peek();
    const second = this.#tokens[this.#at + 1] as Token;
    const isLet = first.word === 'let' && second.kind === 'name';
    if (isLet) this.#at++;
    const named = this.#peek();
    if (isLet || (named.kind === 'name' && second.word === '=')) {
      this.#at++;
      if (!this.#take('=')) throw this.#unexpected("'='");
      return {
        kind: isLet ? 'let' : 'assign',
        name: named.word,
        span: named,
        value: this.#choice(),
      };
    }
    const value = this.#choice();
    return { kind: 'result', name: '', span: this.#nodes[value] as Node, value };
  }

  #choice(): number {
    return this.#deeper(() => {
      const condition = this.#binary(0);
      if (!this.#takeSymbol('?')) return condition;
      const whenTrue = this.#choice();
      if (!this.#takeSymbol(':'))
        throw this.#unexpected("':' and what is chosen if the condition is false");
      return this.#operator('?:', [condition, whenTrue, this.#choice()]);
    });
  }

  #binary(level: number): number {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let count = 0; ; count++) {
      const word = this.#operatorOf(operators);
      if (word === null) return left;
      const isComparison = level === COMPARISON_LEVEL;
      if (isComparison && count > 0) throw this.#ambiguous(left, "write 'a < b && b < c'");
      this.#at++;
      const right = this.#binary(level + 1);
      if (isComparison) for (const one of [left, right]) this.#refuseBits(one);
      left = this.#operator(word, [left, right]);
    }
  }

  #unary(): number {
    const word = this.#operatorOf(UNARY);
    if (word === null) return this.#power();
    const { start } = this.#peek();
    this.#at++;
    return this.#deeper(() => this.#operator(word, [this.#unary()], start));
  }

  #power(): number {
    const base = this.#primary();
    if (!this.#takeSymbol('**')) return base;
    return this.#deeper(() => this.#operator('**', [base, this.#unary()]));
  }

  #primary(): number {
    this.#skipLines();
    const token = this.#peek();
    if (token.kind === 'number') {
      this.#at++;
      return this.#add(numberOf(token));
    }
    if (token.kind === 'name') {
      this.#at++;
      if (!this.#takeSymbol('('))
        return this.#add({ kind: 'name', name: token.word, ...spanOf(token) });
      const { operands, options } = this.#operands();
      const name = { name: token.word, ...spanOf(token) };
      return this.#add({
        kind: 'call',
        name,
        operands,
        options,
        start: token.start,
        end: this.#endOfLast(),
      });
    }
    if (token.word !== '(') throw this.#unexpected('an operand');
    this.#at++;
    this.#open++;
    const value = this.#choice();
    this.#close("')'");
    this.#closed.add(value);
    return value;
  }

  /** The operands of a function, behind its parenthesis, and then its options. */
  #operands(): { operands: number[]; options: Option[] } {
    this.#open++;
    const operands: number[] = [];
    const options: Option[] = [];
    this.#skipLines();
    if (this.#peek().word === ')') {
      this.#close("')'");
      return { operands, options };
    }
    do {
      this.#skipLines();
      const isOption = this.#tokens[this.#at + 1]?.word === '=';
      if (isOption) options.push(this.#option());
      else if (options.length === 0) operands.push(this.#choice());
      else throw this.#unexpected("an option 'name=…', since one is before it");
    } while (this.#takeSymbol(','));
    this.#close("',' or ')'");
    return { operands, options };
  }

  #option(): Option {
    const label = this.#peek();
    if (label.kind !== 'name') throw this.#unexpected('the name of an option');
    this.#at += 2;
    this.#skipLines();
    const { start } = this.#peek();
    const value = this.#literal();
    return { name: label.word, label: spanOf(label), value, start, end: this.#endOfLast() };
  }

  #literal(): Literal {
    if (this.#peek().kind === 'name') return (this.#tokens[this.#at++] as Token).word;
    if (!this.#takeSymbol('(')) return this.#number();
    const numbers = [];
    while (!this.#takeSymbol(')')) {
      if (numbers.length > 0 && !this.#takeSymbol(',')) throw this.#unexpected("',' or ')'");
      if (!this.#takeSymbol(')')) numbers.push(this.#number());
      else return numbers;
    }
    return numbers;
  }

  #number(): bigint | number {
    const isNegative = this.#takeSymbol('-');
    const token = this.#peek();
    if (token.kind !== 'number')
      throw this.#unexpected('a number, a name, or numbers in parentheses');
    this.#at++;
    const { value } = numberOf(token);
    return isNegative ? -value : value;
  }

  #close(expected: string): void {
    this.#skipLines();
    if (this.#peek().word !== ')') throw this.#unexpected(expected);
    this.#at++;
    this.#open--;
  }

  #deeper(parse: () => number): number {
    if (++this.#level > MOST_LEVELS) {
      throw faultAt(
        this.#text,
        this.#peek(),
        `at most ${MOST_LEVELS} levels of nesting`,
        'more',
        "name parts of it with 'let'",
      );
    }
    const value = parse();
    this.#level--;
    return value;
  }

  #operator(operator: Operator, operands: number[], start?: number): number {
    const [first, last] = [operands[0], operands.at(-1)].map((one) => this.#nodes[one as number]);
    const from = start ?? (first as Node).start;
    return this.#add({
      kind: 'operator',
      operator,
      operands,
      start: from,
      end: (last as Node).end,
    });
  }

  #add(node: Node): number {
    return this.#nodes.push(node) - 1;
  }

  /** C and Python disagree on what `a & b == c` means. */
  #refuseBits(index: number): void {
    const node = this.#nodes[index] as Node;
    if (node.kind !== 'operator' || !BITS.includes(node.operator) || this.#closed.has(index))
      return;
    throw this.#ambiguous(index, `put parentheses around '${node.operator}'`);
  }

  #ambiguous(index: number, cure: string): Error {
    const expected = 'what is read in one way only';
    return faultAt(
      this.#text,
      this.#nodes[index] as Node,
      expected,
      'an operand of a comparison',
      cure,
    );
  }

  /** The operator here if it is one of these, or null. */
  #operatorOf(operators: readonly string[]): Operator | null {
    if (this.#open > 0) this.#skipLines();
    const { kind, word } = this.#peek();
    return kind === 'symbol' && operators.includes(word) ? (word as Operator) : null;
  }

  #takeSymbol(word: string): boolean {
    if (this.#open > 0) this.#skipLines();
    return this.#take(word);
  }

  #take(word: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'symbol' || token.word !== word) return false;
    this.#at++;
    return true;
  }

  /** Skips line ends where an operand has to follow, or a parenthesis is open. */
  #skipLines(): void {
    while (this.#isLineEnd(this.#peek())) this.#at++;
  }

  #isLineEnd({ word, start }: Token): boolean {
    return word === ';' && this.#text[start] === '\n';
  }

  #peek(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #endOfLast(): number {
    return (this.#tokens[this.#at - 1] as Token).end;
  }

  #unexpected(expected: string): Error {
    const token = this.#peek();
    const got = { end: 'the end', ';': 'the end of the statement' };
    const shown =
      token.kind === 'end' ? got.end : token.word === ';' ? got[';'] : quoted(token.word);
    const isAssignment = token.word === '=' && expected.startsWith('an operator');
    return faultAt(
      this.#text,
      token,
      expected,
      shown,
      isAssignment ? "write '==' to compare" : undefined,
    );
  }
}

function numberOf({ word, start, end }: Token): Node & { readonly kind: 'integer' | 'float' } {
  const isInteger = /^(?:0[xX]|0[bB]|\d+$)/.test(word);
  return isInteger
    ? { kind: 'integer', value: BigInt(word), start, end }
    : { kind: 'float', value: Number(word), start, end };
}

function spanOf({ start, end }: Token): Span {
  return { start, end };
}
