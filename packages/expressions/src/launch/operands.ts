import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type ArrayLike,
  type DType,
  type DTypeName,
  printable,
} from '@array-interface/core';
import { CASTS } from '../meaning/functions.js';
import { isFloat, type Register, rangeOf, type Value } from '../program/instruction.js';
import { didYouMean } from '../syntax/fault.js';

const KNOWN: ReadonlySet<string | undefined> = /* @__PURE__ */ new Set(CASTS);

/** A number in the place of an array. */
export type Scalar = number | bigint | boolean;

/** An operand of a call: an array or a number. */
export interface Operand {
  readonly name: string;
  readonly array: ArrayDescriptor | null;
  readonly scalar: Scalar;
}

/** An array that a call names for an output. */
export interface Target {
  readonly name: string;
  readonly array: ArrayDescriptor;
}

/** Makes a descriptor of an array of a call. */
type Describe = (value: ArrayLike, name: string) => ArrayDescriptor;

export function fault(
  code: ConstructorParameters<typeof ArrayInterfaceError>[0],
  path: string,
  expected: string,
  got: string,
  cure?: string,
): ArrayInterfaceError {
  const message = `expected ${expected}, got ${got}${cure === undefined ? '' : `; ${cure}`}`;
  return new ArrayInterfaceError(code, path, message);
}

/**
 * Reads each named value once. Throws ERR_ARGUMENT for a missing one and for one with another name,
 * ERR_MASK, ERR_DTYPE_UNSUPPORTED, and what `describe` throws.
 */
export function readOperands(
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
  describe: Describe,
): Operand[] {
  assertNames(names, values, 'values');
  return names.map((name) => {
    const value = values[name];
    if (isScalar(value)) return { name, array: null, scalar: value };
    if (value === undefined)
      throw fault('ERR_ARGUMENT', name, `an array or a number for '${name}'`, 'none');
    return { name, array: checked(describe(value as ArrayLike, name), name), scalar: 0 };
  });
}

/** Reads the outputs that a call names. Throws as `readOperands` does, and ERR_READ_ONLY. */
export function readOutputs(
  names: readonly string[],
  out: Readonly<Record<string, unknown>>,
  describe: Describe,
): Target[] {
  assertNames(names, out, 'out');
  const outputs: Target[] = [];
  for (const name of names) {
    const value = out[name];
    if (value === undefined) continue;
    const path = `out.${name}`;
    const array = checked(describe(value as ArrayLike, path), path);
    if (array.readOnly) throw fault('ERR_READ_ONLY', path, 'a writable array', 'a read-only one');
    outputs.push({ name, array });
  }
  return outputs;
}

/** Throws ERR_ARGUMENT for anything but an object with some of these names. */
function assertNames(
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
  path: string,
): void {
  if (typeof values !== 'object' || values === null) {
    throw fault('ERR_ARGUMENT', path, 'an object of arrays by name', typeof values);
  }
  for (const name of Object.keys(values)) {
    if (names.includes(name)) continue;
    const expected = names.length === 0 ? 'no names' : `one of the names ${names.join(', ')}`;
    throw fault('ERR_ARGUMENT', name, expected, `'${printable(name)}'`, didYouMean(name, names));
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}

function checked(array: ArrayDescriptor, path: string): ArrayDescriptor {
  if (array.mask !== null) {
    const cure = "pass the mask as an operand of its own, for 'where'";
    throw fault('ERR_MASK', path, 'an array without a mask', 'one with a mask', cure);
  }
  typeNameOf(array.dtype, path);
  return array;
}

/** Returns the name of a dtype that expressions have. Throws ERR_DTYPE_UNSUPPORTED for others. */
export function typeNameOf({ name, typestr }: DType, path: string): DTypeName {
  if (KNOWN.has(name)) return name as DTypeName;
  const got = name ?? typestr;
  throw fault(
    'ERR_DTYPE_UNSUPPORTED',
    path,
    `elements of ${CASTS.join(', ')}`,
    got,
    'convert it first, or take a field of it',
  );
}

/** Returns a number as a register has it. Throws ERR_TYPE, ERR_OVERFLOW. */
export function scalarValue(value: Scalar, type: Register, path: string): Value {
  if (type === 'bool') {
    if (typeof value === 'boolean') return value ? 1 : 0;
    throw fault('ERR_TYPE', path, 'true or false', String(value));
  }
  if (isFloat(type)) return type === 'float32' ? Math.fround(Number(value)) : Number(value);
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw fault('ERR_TYPE', path, `an integer for ${type}`, String(value), 'round it first');
  }
  const integer = BigInt(value);
  const [least, most] = rangeOf(type);
  if (integer < least || integer > most) {
    throw fault('ERR_OVERFLOW', path, `an integer that ${type} can hold`, String(integer));
  }
  return type === 'int64' || type === 'uint64' ? integer : Number(integer);
}
