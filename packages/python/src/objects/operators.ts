import { addon } from '../addon.js';

/**
 * Python's operators, by their names in its module `operator`. Each throws what Python raises. The
 * other operand is converted as an argument is; `T` is not checked. `Object` is PyObject.
 */
export interface Operators<Object> {
  /** `object + other` */
  add<T = Object>(other: unknown): T;
  /** `object - other` */
  sub<T = Object>(other: unknown): T;
  /** `object * other` */
  mul<T = Object>(other: unknown): T;
  /** `object / other` */
  truediv<T = Object>(other: unknown): T;
  /** `object // other` */
  floordiv<T = Object>(other: unknown): T;
  /** `object % other` */
  mod<T = Object>(other: unknown): T;
  /** `object ** other` */
  pow<T = Object>(other: unknown): T;
  /** `object @ other` */
  matmul<T = Object>(other: unknown): T;
  /** `object << other` */
  lshift<T = Object>(other: unknown): T;
  /** `object >> other` */
  rshift<T = Object>(other: unknown): T;
  /** `object & other` */
  and<T = Object>(other: unknown): T;
  /** `object | other` */
  or<T = Object>(other: unknown): T;
  /** `object ^ other` */
  xor<T = Object>(other: unknown): T;
  /** `-object` */
  neg<T = Object>(): T;
  /** `+object` */
  pos<T = Object>(): T;
  /** `abs(object)` */
  abs<T = Object>(): T;
  /** `~object` */
  invert<T = Object>(): T;
  /** `object == other`: for arrays an array, as for the five below. */
  eq<T = Object>(other: unknown): T;
  /** `object != other` */
  ne<T = Object>(other: unknown): T;
  /** `object < other` */
  lt<T = Object>(other: unknown): T;
  /** `object <= other` */
  le<T = Object>(other: unknown): T;
  /** `object > other` */
  gt<T = Object>(other: unknown): T;
  /** `object >= other` */
  ge<T = Object>(other: unknown): T;
}

const UNARY = ['neg', 'pos', 'abs', 'invert'] as const;
const BINARY = [
  ...(['add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'matmul'] as const),
  ...(['lshift', 'rshift', 'xor', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const),
];

/** Adds the operators to a class. */
export function addOperators(prototype: object): void {
  for (const name of UNARY) {
    define(prototype, name, function (this: object) {
      return addon().operate(name, this);
    });
  }
  for (const name of BINARY) addBinary(prototype, name, name);
  addBinary(prototype, 'and', 'and_');
  addBinary(prototype, 'or', 'or_');
}

function addBinary(prototype: object, name: keyof Operators<object>, inPython: string): void {
  define(prototype, name, function (this: object, other: unknown) {
    return addon().operate(inPython, this, other);
  });
}

function define(prototype: object, name: keyof Operators<object>, value: object): void {
  Object.defineProperty(prototype, name, { value });
}
