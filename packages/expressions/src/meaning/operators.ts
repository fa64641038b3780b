import type { DTypeName } from '@array-interface/core';
import type { Builder } from '../program/builder.js';
import { type Register, rangeOf } from '../program/instruction.js';
import { faultAt } from '../syntax/fault.js';
import type { Operator, Span } from '../syntax/node.js';
import * as complex from './complex.js';
import * as mathematics from './complex-mathematics.js';
import { pow } from './mathematics.js';
import { compareMixed, floorDivide, integerPower, modulo, shift } from './real.js';
import {
  type Common,
  type Context,
  commonOf,
  convertTerm,
  exactTerm,
  kindOf,
  type Term,
  termOf,
} from './term.js';

/** What an operation makes of its operands, which stand at `spans`. */
export type Apply = (context: Context, terms: readonly Term[], spans: readonly Span[]) => Term;

/** What each operator means. Unary ones are `u-`, `u+`, `u~` and `u!`. */
export const OPERATORS: Readonly<Record<Operator | 'u-' | 'u+', Apply>> = {
  '+': arithmetic('add', 'or', (x, y) => x + y),
  '-': arithmetic('subtract', null, (x, y) => x - y),
  '*': arithmetic('multiply', 'and', (x, y) => x * y),
  '/': divide,
  '//': divisionOf(floorDivide, floorOf),
  '%': divisionOf(modulo, (x, y) => x - floorOf(x, y) * y),
  '**': power,
  '<<': shiftOf('shiftLeft'),
  '>>': shiftOf('shiftRight'),
  '&': bitwise('and', (x, y) => x & y),
  '^': bitwise('xor', (x, y) => x ^ y),
  '|': bitwise('or', (x, y) => x | y),
  '~': complement,
  '!': (context, terms, spans) => {
    const { builder: b } = context;
    return termOf('bool', b.op('not', truth(context, terms[0] as Term, spans[0] as Span)));
  },
  '==': comparison('equal', false, false),
  '!=': comparison('equal', false, true),
  '<': comparison('less', false, false),
  '<=': comparison('lessEqual', false, false),
  '>': comparison('less', true, false),
  '>=': comparison('lessEqual', true, false),
  '&&': logical('and'),
  '||': logical('or'),
  '?:': choose,
  'u-': negate,
  'u+': (_, terms) => terms[0] as Term,
};

/** Whether a term is not 0, as a bool. */
function truth(context: Context, term: Term, span: Span): number {
  const { parts } = convertTerm(context, term, 'bool', span);
  return parts[0] as number;
}

/** Returns the terms as ones of their common type. */
export function together(
  context: Context,
  terms: readonly Term[],
  spans: readonly Span[],
  common: Common = commonOf(terms),
): Term[] {
  const { type, isWeak } = common;
  return terms.map((term, index) => convertTerm(context, term, type, spans[index] as Span, isWeak));
}

/** Throws for operands of a kind that an operation does not have. */
export function refuse(
  { text }: Context,
  spans: readonly Span[],
  expected: string,
  got: string,
  cure?: string,
): never {
  const span = { start: (spans[0] as Span).start, end: (spans.at(-1) as Span).end };
  throw faultAt(text, span, expected, got, cure);
}

/** Throws for complex operands of what is for real numbers alone. `why` says more of their type. */
export function refuseComplex(
  context: Context,
  spans: readonly Span[],
  type: DTypeName,
  why = '',
): never {
  const expected = 'real numbers (bools, integers, float16, float32, float64)';
  refuse(context, spans, expected, `${type}${why}`, "take 'real', 'imag' or 'abs' of them");
}

/** Why complex numbers are not compared. */
export const NO_ORDER = ', which has no order';

function exactOf(terms: readonly Term[]): readonly [bigint, bigint] | null {
  const [x, y] = terms as readonly [Term, Term];
  return x.exact === undefined || y.exact === undefined ? null : [x.exact, y.exact];
}

function whole(spans: readonly Span[]): Span {
  return { start: (spans[0] as Span).start, end: (spans.at(-1) as Span).end };
}

/** Weak bools count as integers in arithmetic, as in Python. */
function forArithmetic(common: Common): Common {
  return common.isWeak && common.type === 'bool' ? { type: 'int64', isWeak: true } : common;
}

const OF_COMPLEX = { add: complex.add, subtract: complex.subtract, multiply: complex.multiply };
type Binary = keyof typeof OF_COMPLEX;

function arithmetic(
  operation: Binary,
  ofBools: 'or' | 'and' | null,
  exactly: (x: bigint, y: bigint) => bigint,
): Apply {
  return (context, terms, spans) => {
    const exact = exactOf(terms);
    if (exact !== null) return exactTerm(context, exactly(...exact), whole(spans));
    const { builder: b } = context;
    const common = forArithmetic(commonOf(terms));
    if (common.type === 'bool' && ofBools === null) {
      const cure = "use '^' for bools, or convert one: int8(mask)";
      refuse(context, spans, 'numbers', 'bools, which have no difference', cure);
    }
    const [x, y] = together(context, terms, spans, common) as [Term, Term];
    if (kindOf(common.type) === 'complex') {
      const parts = OF_COMPLEX[operation](b, x.parts as complex.Pair, y.parts as complex.Pair);
      return { ...common, parts };
    }
    const own = common.type === 'bool' ? (ofBools as 'or' | 'and') : operation;
    return { ...common, parts: [b.op(own, x.parts[0] as number, y.parts[0] as number)] };
  };
}

function divide(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const common = commonOf(terms);
  const kind = kindOf(common.type);
  const floats: Common =
    kind === 'float' || kind === 'complex' ? common : { type: 'float64', isWeak: common.isWeak };
  const { builder: b } = context;
  const [x, y] = together(context, terms, spans, floats) as [Term, Term];
  if (kind === 'complex') {
    return {
      ...floats,
      parts: complex.divide(b, x.parts as complex.Pair, y.parts as complex.Pair),
    };
  }
  return { ...floats, parts: [b.op('divide', x.parts[0] as number, y.parts[0] as number)] };
}

/** Python's `//`. 0 if `y` is 0. */
function floorOf(x: bigint, y: bigint): bigint {
  if (y === 0n) return 0n;
  const quotient = x / y;
  return quotient * y !== x && x < 0n !== y < 0n ? quotient - 1n : quotient;
}

/** bools count as int8 where they have no meaning of their own, as in NumPy. */
function withoutBools(common: Common): Common {
  if (common.type !== 'bool') return common;
  return { type: common.isWeak ? 'int64' : 'int8', isWeak: common.isWeak };
}

function divisionOf(lower: typeof modulo, exactly: (x: bigint, y: bigint) => bigint): Apply {
  return (context, terms, spans) => {
    const exact = exactOf(terms);
    if (exact !== null && exact[1] !== 0n) {
      return exactTerm(context, exactly(...exact), whole(spans));
    }
    const common = withoutBools(commonOf(terms));
    if (kindOf(common.type) === 'complex') {
      refuseComplex(context, spans, common.type, NO_ORDER);
    }
    const [x, y] = together(context, terms, spans, common) as [Term, Term];
    return {
      ...common,
      parts: [lower(context.builder, x.parts[0] as number, y.parts[0] as number)],
    };
  };
}

/** A function of complex numbers of one type, computed in float64. */
export function complexInDouble(
  { builder: b }: Context,
  lower: (b: Builder, ...operands: complex.Pair[]) => readonly number[],
  terms: readonly Term[],
): Term {
  const [{ type, isWeak, parts }] = terms as [Term];
  const own = b.typeOf(parts[0] as number);
  const wide = terms.map(
    (term) => term.parts.map((part) => b.convert(part, 'float64')) as [number, number],
  );
  return { type, isWeak, parts: lower(b, ...wide).map((part) => b.convert(part, own)) };
}

/** Exponents of complex numbers that are taken as products. */
const MOST_PRODUCTS = 64;

function power(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const exact = exactOf(terms);
  if (exact !== null) return exactPower(context, exact, spans);
  const { builder: b } = context;
  const common = withoutBools(commonOf(terms));
  const [base, exponent] = together(context, terms, spans, common) as [Term, Term];
  const [x, y] = [base.parts[0] as number, exponent.parts[0] as number];
  const kind = kindOf(common.type);
  if (kind === 'integer') return { ...common, parts: [integerPower(b, x, y)] };
  const isReal = exponent.parts.length === 1 || b.valueOf(exponent.parts[1] as number) === 0;
  const known = isReal ? b.valueOf(y) : undefined;
  if (known === 1) return base;
  if (known === 2)
    return OPERATORS['*'](context, [base, base], [spans[0] as Span, spans[0] as Span]);
  const one = convertTerm(
    context,
    exactTerm(context, 1n, whole(spans)),
    common.type,
    whole(spans),
    common.isWeak,
  );
  if (known === 0) return one;
  if (known === -1) return divide(context, [one, base], [spans[0] as Span, spans[0] as Span]);
  if (known === 0.5) {
    if (kind === 'complex') return complexInDouble(context, mathematics.sqrt, [base]);
    return { ...common, parts: [b.op('squareRoot', x)] };
  }
  if (kind === 'float') {
    const [wide, by] = [b.convert(x, 'float64'), b.convert(y, 'float64')];
    return { ...common, parts: [b.convert(pow(b, wide, by), b.typeOf(x))] };
  }
  if (Number.isInteger(known) && Math.abs(Number(known)) <= MOST_PRODUCTS) {
    return complexInDouble(context, (_, z) => mathematics.wholePower(b, z, Number(known)), [base]);
  }
  return complexInDouble(context, mathematics.pow, [base, exponent]);
}

function exactPower(
  context: Context,
  [base, exponent]: readonly [bigint, bigint],
  spans: readonly Span[],
): Term {
  const { builder: b } = context;
  const isLong = exponent > 4096n || exponent < -4096n;
  if (isLong) refuse(context, spans.slice(1), 'an exponent of at most 4096', 'a larger one');
  if (exponent >= 0n) return exactTerm(context, base ** exponent, whole(spans));
  const inverse = exactTerm(context, base ** -exponent, whole(spans));
  return termOf('float64', b.constant('float64', 1 / Number(inverse.exact)), true);
}

function shiftOf(direction: 'shiftLeft' | 'shiftRight'): Apply {
  return (context, terms, spans) => {
    const exact = exactOf(terms);
    if (exact !== null && exact[1] >= 0n && exact[1] <= 4096n) {
      const [value, by] = exact;
      const shifted = direction === 'shiftLeft' ? value << by : value >> by;
      return exactTerm(context, shifted, whole(spans));
    }
    const common = withoutBools(commonOf(terms));
    if (kindOf(common.type) !== 'integer') {
      refuse(context, spans, 'integers', `${common.type}, which has no bits to shift`);
    }
    const [x, y] = together(context, terms, spans, common) as [Term, Term];
    const shifted = shift(context.builder, direction, x.parts[0] as number, y.parts[0] as number);
    return { ...common, parts: [shifted] };
  };
}

function bitwise(
  operation: 'and' | 'or' | 'xor',
  exactly: (x: bigint, y: bigint) => bigint,
): Apply {
  return (context, terms, spans) => {
    const exact = exactOf(terms);
    if (exact !== null) return exactTerm(context, exactly(...exact), whole(spans));
    const common = commonOf(terms);
    if (kindOf(common.type) === 'float' || kindOf(common.type) === 'complex') {
      const cure = "write '&&' or '||' for conditions, '**' for a power";
      refuse(context, spans, 'integers or bools', common.type, cure);
    }
    const [x, y] = together(context, terms, spans, common) as [Term, Term];
    const { builder: b } = context;
    return { ...common, parts: [b.op(operation, x.parts[0] as number, y.parts[0] as number)] };
  };
}

function complement(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const [term] = terms as [Term];
  if (term.exact !== undefined) return exactTerm(context, ~term.exact, spans[0] as Span);
  const kind = kindOf(term.type);
  if (kind === 'float' || kind === 'complex') {
    refuse(context, spans, 'an integer or a bool', term.type, "write '!' for a condition");
  }
  return { ...term, parts: [context.builder.op('not', term.parts[0] as number)] };
}

function negate(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const [term] = terms as [Term];
  if (term.exact !== undefined) return exactTerm(context, -term.exact, spans[0] as Span);
  if (term.type === 'bool') {
    if (!term.isWeak)
      refuse(context, spans, 'a number', 'a bool', "write '!' or '~' for the opposite");
    return negate(context, [convertTerm(context, term, 'int64', spans[0] as Span, true)], spans);
  }
  return { ...term, parts: term.parts.map((part) => context.builder.op('negate', part)) };
}

function comparison(
  operation: 'equal' | 'less' | 'lessEqual',
  swaps: boolean,
  negates: boolean,
): Apply {
  return (context, given, givenSpans) => {
    const terms = swaps ? given.toReversed() : given;
    const spans = swaps ? givenSpans.toReversed() : givenSpans;
    const { builder: b } = context;
    const made = compare(context, operation, terms as [Term, Term], spans);
    return termOf(
      'bool',
      negates ? b.op('not', made) : made,
      terms.every(({ isWeak }) => isWeak),
    );
  };
}

function compare(
  context: Context,
  operation: 'equal' | 'less' | 'lessEqual',
  terms: readonly [Term, Term],
  spans: readonly Span[],
): number {
  const { builder: b } = context;
  const outside = outsideRange(terms);
  if (outside !== null) return b.constant('bool', operation !== 'equal' && outside ? 1 : 0);
  const common = commonOf(terms);
  if (kindOf(common.type) === 'complex') {
    if (operation !== 'equal') {
      const ordered = whole([...spans].sort((one, other) => one.start - other.start));
      refuseComplex(context, [ordered], common.type, NO_ORDER);
    }
    const [x, y] = together(context, terms, spans) as [Term, Term];
    return complex.equal(b, x.parts as complex.Pair, y.parts as complex.Pair);
  }
  const isMixed =
    common.type === 'float64' && terms.every(({ type }) => kindOf(type) === 'integer');
  if (isMixed) {
    const [x, y] = terms.map((term, index) => {
      const type = term.type === 'uint64' ? 'uint64' : 'int64';
      return convertTerm(context, term, type, spans[index] as Span).parts[0] as number;
    }) as [number, number];
    return compareMixed(b, operation, x, y);
  }
  const [x, y] = together(context, terms, spans).map(({ parts: [part] }) =>
    common.type === 'bool' ? b.convert(part as number, 'uint8') : (part as number),
  ) as [number, number];
  return b.test(operation, x, y);
}

/**
 * Whether an integer and one of the text that its type cannot hold are in rising order. Null for
 * any other pair.
 */
function outsideRange([x, y]: readonly [Term, Term]): boolean | null {
  const [exact, other] = x.exact === undefined ? [y.exact, x] : [x.exact, y];
  if (exact === undefined) return null;
  if (other.exact !== undefined)
    return isFar(x, y) ? (x.exact as bigint) < (y.exact as bigint) : null;
  if (other.isWeak || kindOf(other.type) !== 'integer') return null;
  const [least, most] = rangeOf(other.type as Register);
  if (exact >= least && exact <= most) return null;
  const isAbove = exact > most;
  return isAbove === (other === x);
}

/** Whether two integers of the text differ, and int64 does not hold both. */
function isFar(x: Term, y: Term): boolean {
  const [least, most] = rangeOf('int64');
  const holds = ({ exact }: Term) => (exact as bigint) >= least && (exact as bigint) <= most;
  return x.exact !== y.exact && !(holds(x) && holds(y));
}

function logical(operation: 'and' | 'or'): Apply {
  return (context, terms, spans) => {
    const [x, y] = terms.map((term, index) => truth(context, term, spans[index] as Span)) as [
      number,
      number,
    ];
    return termOf(
      'bool',
      context.builder.op(operation, x, y),
      terms.every(({ isWeak }) => isWeak),
    );
  };
}

/** `condition ? a : b`. */
function choose(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const { builder: b } = context;
  const [condition, ...both] = terms as [Term, Term, Term];
  const isChosen = truth(context, condition, spans[0] as Span);
  const common = commonOf(both);
  // A weak choice by an array is no number any more: it keeps its type.
  const isWeak = common.isWeak && condition.isWeak;
  const [x, y] = together(context, both, spans.slice(1), common) as [Term, Term];
  const parts = x.parts.map((part, index) => b.select(isChosen, part, y.parts[index] as number));
  return { type: common.type, isWeak, parts };
}
