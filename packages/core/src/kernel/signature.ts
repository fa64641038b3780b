import type { DType } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { badArgument } from '../input/argument.js';
import { Dict, guarded } from '../input/dict.js';
import { readCount } from '../input/integer.js';
import type { NumberName } from './parameter.js';

/** Maximum number of axes of an array with strides, as in NumPy. */
const MOST_AXES = 64;
/** Maximum number of axes of a range. */
export const MOST_RANGE_AXES = 3;

/** The numbers that identify each type for native code, as dpctl numbers them. */
export const TYPE_CODES: Readonly<Record<NumberName | 'pointer' | 'local', number>> = {
  int8: 0,
  uint8: 1,
  int16: 2,
  uint16: 3,
  int32: 4,
  uint32: 5,
  int64: 6,
  uint64: 7,
  float32: 8,
  float64: 9,
  pointer: 10,
  local: 11,
};

/** A parameter as it was read. */
export type Slot =
  | {
      readonly kind: 'array';
      readonly name: string;
      readonly dtype: DType;
      readonly writes: boolean;
      /** Number of axes with strides. Null: C-contiguous. */
      readonly ndim: number | null;
    }
  | { readonly kind: 'number'; readonly name: string; readonly type: NumberName }
  | { readonly kind: 'local'; readonly name: string; readonly dtype: DType }
  | { readonly kind: 'first'; readonly name: string; readonly axis: number };

/** The parameters of a kernel. */
export interface Signature {
  /** The parameters, in order. */
  readonly slots: readonly Slot[];
  /** The types that native code takes, in order, by `TYPE_CODES`. */
  readonly types: readonly number[];
}

/** Reads the parameters of a definition. Throws ERR_TYPE, ERR_ARGUMENT, and what `dtype` throws. */
export function readSignature(parameters: object): Signature {
  const slots = Object.entries(parameters).map(([name, value]) => readSlot(name, value));
  return { slots, types: slots.flatMap(typesOf) };
}

function readSlot(name: string, value: unknown): Slot {
  const path = `parameters.${name}`;
  // Objects list such names before all others, whatever the order in which they were defined.
  if (/^(0|[1-9]\d*)$/.test(name)) {
    throw badArgument(
      path,
      'a name other than a number, which objects move to the front',
      name,
      name,
    );
  }
  if (typeof value === 'string' && isNumberName(value))
    return { kind: 'number', name, type: value };
  if (typeof value !== 'object' || value === null) throw unknownParameter(path, value);
  const keys = guarded('ERR_ARGUMENT', path, () => Object.keys(value));
  const dict = new Dict(value, path, `${path}.`);
  const [key, ...others] = keys.filter((one) => one !== 'strides');
  if (others.length === 0 && (key === 'read' || key === 'write')) {
    const dtype = readDType(dict.required(key), `${path}.${key}`);
    return { kind: 'array', name, dtype, writes: key === 'write', ndim: readStrides(dict, path) };
  }
  if (keys.length !== 1) throw unknownParameter(path, value);
  if (key === 'local') {
    return { kind: 'local', name, dtype: readDType(dict.required(key), `${path}.local`) };
  }
  if (key !== 'first') throw unknownParameter(path, value);
  return { kind: 'first', name, axis: readUpTo(dict, 'first', path, MOST_RANGE_AXES - 1) };
}

function readStrides(dict: Dict, path: string): number | null {
  return (dict.optional('strides') ?? null) === null
    ? null
    : readUpTo(dict, 'strides', path, MOST_AXES);
}

function readUpTo(dict: Dict, key: string, path: string, most: number): number {
  const value = readCount(dict.required(key), `${path}.${key}`);
  if (value >= 0 && value <= most) return value;
  throw mismatch('ERR_ARGUMENT', `${path}.${key}`, `a number of axes in 0 .. ${most}`, value);
}

function typesOf(slot: Slot): number[] {
  switch (slot.kind) {
    case 'array':
      return [
        TYPE_CODES.pointer,
        ...Array.from({ length: slot.ndim ?? 0 }, () => TYPE_CODES.int64),
      ];
    case 'number':
      return [TYPE_CODES[slot.type]];
    case 'local':
      return [TYPE_CODES.local];
    case 'first':
      return [TYPE_CODES.uint32];
  }
}

function isNumberName(name: string): name is NumberName {
  return Object.hasOwn(TYPE_CODES, name) && name !== 'pointer' && name !== 'local';
}

function unknownParameter(path: string, value: unknown): ArrayInterfaceError {
  return mismatch(
    'ERR_ARGUMENT',
    path,
    "a number's name ('uint32'), { read: dtype }, { write: dtype }, { local: dtype } or { first: axis }",
    show(value),
    'add { strides: number of axes } to an array if the code takes its strides',
  );
}
