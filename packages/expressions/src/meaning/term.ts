import type { DTypeName } from '@array-interface/core';
import { resultType } from '@array-interface/core/numbers';
import type { Builder } from '../program/builder.js';
import { isFloat, type Register, rangeOf } from '../program/instruction.js';
import { faultAt } from '../syntax/fault.js';
import type { Span } from '../syntax/node.js';
import { fromHalf, toHalf } from './half.js';
import { clampToInteger, isTrue } from './real.js';

/** The value of a part of a text. */
export interface Term {
  readonly type: DTypeName;
  /** Whether it gives way to any array, as a number of Python does. */
  readonly isWeak: boolean;
  /** Its registers: two of a complex number. A float16 is computed as a float32. */
  readonly parts: readonly number[];
  /** The value of an integer of the text, of any length. Its type is then int64, and its parts none. */
  readonly exact?: bigint;
}

/** A weak integer that becomes one of a narrower type: whether it fits is known before the launch. */
export interface RangeCheck {
  readonly register: number;
  readonly type: Register;
}

/** What operations need besides their terms. */
export interface Context {
  readonly builder: Builder;
  readonly text: string;
  readonly checks: RangeCheck[];
}

/** A type that operands have in common. */
export interface Common {
  readonly type: DTypeName;
  readonly isWeak: boolean;
}

/** Longest exact integer, in bits, as a double can hold it. */
const MOST_BITS = 1024n;

const WEAK = { bool: true, int64: 1n, float64: 0.5 } as const;

const known = new Map<string, DTypeName>();

/** Returns the type of a result of these terms, by NumPy 2's rules. */
export function commonOf(terms: readonly Common[]): Common {
  const key = terms.map(({ type, isWeak }) => (isWeak ? `~${type}` : type)).join();
  const isWeak = terms.every((term) => term.isWeak);
  const cached = known.get(key);
  if (cached !== undefined) return { type: cached, isWeak };
  const operands = terms.map((term) => (term.isWeak ? WEAK[term.type as 'bool'] : term.type));
  const type = resultType(...operands).name as DTypeName;
  known.set(key, type);
  return { type, isWeak };
}

/** Whether a type is bool, an integer, a float or complex. */
export function kindOf(type: DTypeName): 'bool' | 'integer' | 'float' | 'complex' {
  if (type === 'bool') return 'bool';
  if (type.startsWith('complex')) return 'complex';
  return type.startsWith('float') ? 'float' : 'integer';
}

/** The types of the registers that a term of the type has. */
export function workingTypes(type: DTypeName): readonly Register[] {
  if (type === 'float16') return ['float32'];
  if (kindOf(type) !== 'complex') return [type as Register];
  return type === 'complex64' ? ['float32', 'float32'] : ['float64', 'float64'];
}

/** An integer of the text, or one that integers of the text make. Throws if it is very long. */
export function exactTerm(context: Context, value: bigint, span: Span): Term {
  const limit = 1n << MOST_BITS;
  if (value < limit && value > -limit) {
    return { type: 'int64', isWeak: true, parts: [], exact: value };
  }
  throw faultAt(
    context.text,
    span,
    `an integer below 2^${MOST_BITS}`,
    'a longer one',
    'write a float',
  );
}

/** A term of one register. */
export function termOf(type: DTypeName, part: number, isWeak = false): Term {
  return { type, isWeak, parts: [part] };
}

/** Returns the term as one of another type, as operands are converted to their common type. */
export function convertTerm(
  context: Context,
  term: Term,
  to: DTypeName,
  span: Span,
  isWeak = false,
): Term {
  if (term.exact !== undefined)
    return { type: to, isWeak, parts: exactParts(context, term.exact, to, span) };
  return { type: to, isWeak, parts: convertParts(context, term, to) };
}

function exactParts(
  { builder: b, text }: Context,
  value: bigint,
  to: DTypeName,
  span: Span,
): number[] {
  const [type, second] = workingTypes(to) as [Register, Register?];
  if (type === 'bool') return [b.constant('bool', value === 0n ? 0 : 1)];
  if (isFloat(type)) {
    const double = b.constant('float64', Number(value)); // as Python's int becomes a float
    const re = b.convert(double, type);
    return second === undefined ? [re] : [re, b.constant(second, 0)];
  }
  const [least, most] = rangeOf(type);
  if (value >= least && value <= most) return [b.constant(type, value)];
  throw faultAt(
    text,
    span,
    `an integer that ${to} can hold`,
    String(value),
    'convert the other operand, or write a float',
  );
}

function convertParts(context: Context, { type, isWeak, parts }: Term, to: DTypeName): number[] {
  const { builder: b } = context;
  const [re, im] = parts as [number, number?];
  const [target, second] = workingTypes(to) as [Register, Register?];
  if (second !== undefined) {
    const other = im === undefined ? b.constant(second, 0) : b.convert(im, second);
    return [convertPart(context, re, target, isWeak), other];
  }
  if (target === 'bool' && im !== undefined) return [b.op('or', isTrue(b, re), isTrue(b, im))];
  const part = convertPart(context, re, target, isWeak);
  const isRounded = to === 'float16' && type !== 'float16' && type === 'float64' && !isWeak;
  return [isRounded ? fromHalf(b, toHalf(b, re)) : part];
}

function convertPart(
  { builder: b, checks }: Context,
  part: number,
  to: Register,
  isWeak: boolean,
): number {
  const from = b.typeOf(part);
  if (to === 'bool') return isTrue(b, part);
  if (isFloat(from) && !isFloat(to)) return clampToInteger(b, part, to);
  if (isWeak && from === 'int64' && !isFloat(to) && to !== 'int64') {
    checks.push({ register: part, type: to });
  }
  return b.convert(part, to);
}
