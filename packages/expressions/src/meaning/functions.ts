import type { DTypeName } from '@array-interface/core';
import type { Builder } from '../program/builder.js';
import type { Span } from '../syntax/node.js';
import { cos, sin, tan } from './circular.js';
import type { Pair as Complex } from './complex.js';
import * as inverse from './complex-inverse.js';
import * as complex from './complex-mathematics.js';
import { fromHalf, toHalf } from './half.js';
import { acos, acosh, asin, asinh, atan, atan2, atanh, hypot } from './inverse.js';
import {
  cosh,
  exp,
  exp2,
  expm1,
  log,
  log1p,
  log2,
  log10,
  logaddexp,
  sinh,
  tanh,
} from './mathematics.js';
import {
  type Apply,
  complexInDouble,
  NO_ORDER,
  OPERATORS,
  refuse,
  refuseComplex,
  together,
} from './operators.js';
import {
  absolute,
  copySign,
  isInfinite,
  isNegative,
  isNotNumber,
  nextAfter,
  OWN_BITS,
  signOf,
} from './real.js';
import { erf, lgamma } from './special.js';
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

/** A function of expressions: how many operands it has, and what it means. */
interface NamedFunction {
  readonly count: number;
  readonly apply: Apply;
}

/** The functions, by the names of the Python array API standard. */
export const FUNCTIONS: ReadonlyMap<string, NamedFunction> = new Map(
  Object.entries({
    abs: one(magnitude),
    acos: one(ofNumber(acos, inverse.acos)),
    acosh: one(ofNumber(acosh, inverse.acosh)),
    add: two(OPERATORS['+']),
    asin: one(ofNumber(asin, inverse.asin)),
    asinh: one(ofNumber(asinh, inverse.asinh)),
    atan: one(ofNumber(atan, inverse.atan)),
    atan2: two(inDouble(atan2)),
    atanh: one(ofNumber(atanh, inverse.atanh)),
    bitwise_and: two(OPERATORS['&']),
    bitwise_invert: one(OPERATORS['~']),
    bitwise_left_shift: two(OPERATORS['<<']),
    bitwise_or: two(OPERATORS['|']),
    bitwise_right_shift: two(OPERATORS['>>']),
    bitwise_xor: two(OPERATORS['^']),
    ceil: one(whole('ceiling')),
    clip: { count: 3, apply: clip },
    conj: one(conjugate),
    copysign: two(ofFloats(copySign)),
    cos: one(ofNumber(cos, complex.cos)),
    cosh: one(ofNumber(cosh, complex.cosh)),
    divide: two(OPERATORS['/']),
    equal: two(OPERATORS['==']),
    erf: one(inDouble(erf)),
    exp: one(ofNumber(exp, complex.exp)),
    exp2: one(ofNumber(exp2, complex.exp2)),
    expm1: one(ofNumber(expm1, complex.expm1)),
    floor: one(whole('floor')),
    floor_divide: two(OPERATORS['//']),
    greater: two(OPERATORS['>']),
    greater_equal: two(OPERATORS['>=']),
    hypot: two(inDouble(hypot)),
    imag: one(part(1)),
    isfinite: one(finite),
    isinf: one(classified('or', isInfinite)),
    isnan: one(classified('or', isNotNumber)),
    less: two(OPERATORS['<']),
    less_equal: two(OPERATORS['<=']),
    lgamma: one(inDouble(lgamma)),
    log: one(ofNumber(log, complex.log)),
    log10: one(ofNumber(log10, complex.log10)),
    log1p: one(ofNumber(log1p, complex.log1p)),
    log2: one(ofNumber(log2, complex.log2)),
    logaddexp: two(inDouble(logaddexp)),
    logical_and: two(OPERATORS['&&']),
    logical_not: one(OPERATORS['!']),
    logical_or: two(OPERATORS['||']),
    logical_xor: two(exclusiveOr),
    maximum: two(extreme('maximum', 'or')),
    minimum: two(extreme('minimum', 'and')),
    multiply: two(OPERATORS['*']),
    negative: one(OPERATORS['u-']),
    nextafter: two(after),
    not_equal: two(OPERATORS['!=']),
    positive: one(OPERATORS['u+']),
    pow: two(OPERATORS['**']),
    real: one(part(0)),
    reciprocal: one(reciprocal),
    remainder: two(OPERATORS['%']),
    round: one(whole('roundToEven')),
    sign: one(sign),
    signbit: one(signBit),
    sin: one(ofNumber(sin, complex.sin)),
    sinh: one(ofNumber(sinh, complex.sinh)),
    sqrt: one(squareRoot),
    square: one((context, terms, spans) =>
      OPERATORS['*'](context, [terms[0], terms[0]] as Term[], [spans[0], spans[0]] as Span[]),
    ),
    subtract: two(OPERATORS['-']),
    tan: one(ofNumber(tan, complex.tan)),
    tanh: one(ofNumber(tanh, complex.tanh)),
    trunc: one(whole('truncate')),
    where: { count: 3, apply: OPERATORS['?:'] },
  }),
);

/** The types, whose names convert. */
export const CASTS: readonly DTypeName[] = [
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'float32',
  'float64',
  'complex64',
  'complex128',
];

/** Converts a term as a name of a type does: `float16` rounds. */
export function cast(context: Context, term: Term, type: DTypeName, span: Span): Term {
  const converted = convertTerm(context, term, type, span);
  if (type !== 'float16') return converted;
  const { builder: b } = context;
  return { ...converted, parts: converted.parts.map((one) => fromHalf(b, toHalf(b, one))) };
}

function one(apply: Apply): NamedFunction {
  return { count: 1, apply };
}

function two(apply: Apply): NamedFunction {
  return { count: 2, apply };
}

/** The float type in which NumPy computes functions of a type. */
function floatOf({ type, isWeak }: Common): Common {
  const kind = kindOf(type);
  if (kind === 'float' || kind === 'complex') return { type, isWeak };
  if (isWeak) return { type: 'float64', isWeak };
  const bits = type === 'bool' ? 8 : Number(/\d+$/.exec(type)?.[0]);
  const floats = { 8: 'float16', 16: 'float32' } as const;
  return { type: floats[bits as 8] ?? 'float64', isWeak };
}

/** The operands as floats, of one register each. */
function floats(context: Context, terms: readonly Term[], spans: readonly Span[]) {
  const strong = terms.filter(({ isWeak }) => !isWeak);
  // As NumPy: 3.0 beside int8 makes float64, and so does 3 beside a bool.
  const settled = (term: Term) =>
    term.isWeak && strong.length > 0 ? commonOf([term, ...strong]) : term;
  const common = commonOf(terms.map((term) => floatOf(settled(term))));
  if (kindOf(common.type) === 'complex') refuseComplex(context, spans, common.type);
  const parts = together(context, terms, spans, common).map((term) => term.parts[0] as number);
  return { common, parts };
}

function ofFloats(lower: (b: Builder, x: number, y: number) => number): Apply {
  return (context, terms, spans) => {
    const { common, parts } = floats(context, terms, spans);
    const [x, y] = parts as [number, number];
    return { ...common, parts: [lower(context.builder, x, y)] };
  };
}

/** A function of float64, whose result is rounded once more for narrower types. */
function inDouble(lower: (b: Builder, x: number, y: number) => number): Apply {
  return (context, terms, spans) => {
    const { common, parts } = floats(context, terms, spans);
    const { builder: b } = context;
    const [x, y] = parts.map((part) => b.convert(part, 'float64')) as [number, number];
    return { ...common, parts: [b.convert(lower(b, x, y), b.typeOf(parts[0] as number))] };
  };
}

/** The same, of complex numbers too. */
function ofNumber(
  lower: (b: Builder, x: number) => number,
  ofComplex: (b: Builder, z: Complex) => Complex,
): Apply {
  const ofReal = inDouble(lower);
  return (context, terms, spans) => {
    const [term] = terms as [Term];
    return kindOf(term.type) === 'complex'
      ? complexInDouble(context, ofComplex, [term])
      : ofReal(context, terms, spans);
  };
}

/** The next float of the operands' type. */
function after(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const { common, parts } = floats(context, terms, spans);
  const { builder: b } = context;
  const isHalf = common.type === 'float16';
  const [x, y] = (isHalf ? parts.map((one) => fromHalf(b, toHalf(b, one))) : parts) as [
    number,
    number,
  ];
  return {
    ...common,
    parts: [nextAfter(b, x, y, isHalf ? { of: toHalf, from: fromHalf } : OWN_BITS)],
  };
}

function squareRoot(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const [term] = terms as [Term];
  if (kindOf(term.type) === 'complex') return complexInDouble(context, complex.sqrt, [term]);
  const { common, parts } = floats(context, terms, spans);
  return { ...common, parts: [context.builder.op('squareRoot', parts[0] as number)] };
}

function reciprocal(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const [term] = terms as [Term];
  const kind = kindOf(term.type);
  const isWhole = kind === 'integer' || kind === 'bool';
  if (isWhole && term.exact === undefined)
    refuse(context, spans, 'a float', term.type, "write '1 / x'");
  const [span] = spans as [Span];
  return OPERATORS['/'](context, [exactTerm(context, 1n, span), term], [span, span]);
}

/** Of integers and bools, the operand itself. */
function whole(operation: 'floor' | 'ceiling' | 'truncate' | 'roundToEven'): Apply {
  return (context, terms, spans) => {
    const [term] = terms as [Term];
    const kind = kindOf(term.type);
    if (kind === 'integer' || kind === 'bool') return term;
    if (kind === 'complex' && operation !== 'roundToEven') {
      refuseComplex(context, spans, term.type, NO_ORDER);
    }
    const { builder: b } = context;
    return { ...term, parts: term.parts.map((part) => b.op(operation, part)) };
  };
}

function magnitude(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const [term] = terms as [Term];
  if (term.exact !== undefined) {
    return exactTerm(context, term.exact < 0n ? -term.exact : term.exact, spans[0] as Span);
  }
  const kind = kindOf(term.type);
  if (kind === 'complex') {
    const size = complexInDouble(context, (b, z) => [complex.abs(b, z)], [term]);
    return { ...size, type: term.type === 'complex64' ? 'float32' : 'float64' };
  }
  return kind === 'bool'
    ? term
    : { ...term, parts: [absolute(context.builder, term.parts[0] as number)] };
}

function sign(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const [term] = terms as [Term];
  const kind = kindOf(term.type);
  if (kind === 'complex') return complexInDouble(context, complex.sign, [term]);
  if (kind === 'bool') refuse(context, spans, 'a number', term.type);
  const [number] = together(context, terms, spans) as [Term];
  return { ...number, parts: [signOf(context.builder, number.parts[0] as number)] };
}

function signBit(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const { common, parts } = floats(context, terms, spans);
  return termOf('bool', isNegative(context.builder, parts[0] as number), common.isWeak);
}

/** Of integers and bools, false. */
function classified(joined: 'or', test: (b: Builder, part: number) => number): Apply {
  return ({ builder: b }, terms) => {
    const [{ type, parts, isWeak }] = terms as [Term];
    const kind = kindOf(type);
    if (kind === 'integer' || kind === 'bool') return termOf('bool', b.constant('bool', 0), isWeak);
    const tests = parts.map((part) => test(b, part));
    return termOf(
      'bool',
      tests.reduce((all, next) => b.op(joined, all, next)),
      isWeak,
    );
  };
}

function finite(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const { builder: b } = context;
  const isOther = (_: Builder, part: number) =>
    b.op('or', isInfinite(b, part), isNotNumber(b, part));
  const other = classified('or', isOther)(context, terms, spans);
  return { ...other, parts: [b.op('not', other.parts[0] as number)] };
}

/** The real part, or the imaginary one, which is 0 for real numbers. */
function part(index: 0 | 1): Apply {
  return (context, terms, spans) => {
    const [term] = terms as [Term];
    if (term.type === 'complex64') return termOf('float32', term.parts[index] as number);
    if (term.type === 'complex128') return termOf('float64', term.parts[index] as number);
    if (index === 0) return term;
    const zero = exactTerm(context, 0n, spans[0] as Span);
    return convertTerm(context, zero, term.type, spans[0] as Span, term.isWeak);
  };
}

function conjugate({ builder: b }: Context, terms: readonly Term[]): Term {
  const [term] = terms as [Term];
  const [re, im] = term.parts as [number, number?];
  return im === undefined ? term : { ...term, parts: [re, b.op('negate', im)] };
}

function exclusiveOr(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const not = OPERATORS['!'];
  const [x, y] = terms.map((term, index) => not(context, [term], [spans[index] as Span])) as [
    Term,
    Term,
  ];
  return termOf('bool', context.builder.op('xor', x.parts[0] as number, y.parts[0] as number));
}

function extreme(operation: 'minimum' | 'maximum', ofBools: 'and' | 'or'): Apply {
  return (context, terms, spans) => {
    const common = commonOf(terms);
    const kind = kindOf(common.type);
    if (kind === 'complex') refuseComplex(context, spans, common.type, NO_ORDER);
    const [x, y] = together(context, terms, spans, common) as [Term, Term];
    const own = kind === 'bool' ? ofBools : operation;
    const { builder: b } = context;
    return { ...common, parts: [b.op(own, x.parts[0] as number, y.parts[0] as number)] };
  };
}

/** `minimum(maximum(x, low), high)`. */
function clip(context: Context, terms: readonly Term[], spans: readonly Span[]): Term {
  const common = commonOf(terms);
  const [x, low, high] = together(context, terms, spans, common) as [Term, Term, Term];
  const raised = extreme('maximum', 'or')(context, [x, low], spans);
  return extreme('minimum', 'and')(context, [raised, high], spans);
}
