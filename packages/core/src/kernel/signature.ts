import type { DType } from '../dtype/dtype.js';
import { readDType } from '../dtype/read-dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { badArgument } from '../input/argument.js';
import { Dict, guarded } from '../input/dict.js';
import { readCount } from '../input/integer.js';
import { MOST_RANGE_AXES } from './lengths.js';
import type { NumberName, SizeParameter } from './parameter.js';
import { checkStruct } from './struct.js';

/** Maximum number of axes of an array with strides, as in NumPy. */
const MOST_AXES = 64;
/** Bytes that each value takes, or that a struct's bytes are rounded up to. */
export const SLOT_BYTES = 8;
/** The largest alignment of a type in C: that of OpenCL's `double16`. */
export const MOST_ALIGN = 128;

/**
 * The numbers that identify each type for native code, as dpctl numbers them. A bool is passed as
 * uint8, and float16 by its bits. The number of bytes of a struct follows in the bits above the
 * lowest 8.
 */
export const TYPE_CODES: Readonly<Record<NumberName | 'pointer' | 'local' | 'struct', number>> = {
  bool: 1,
  float16: 3,
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
  struct: 12,
};
const STRUCT_BYTES_SHIFT = 8;

/** A parameter as it was read. */
export type Slot =
  | {
      readonly kind: 'array';
      readonly name: string;
      readonly dtype: DType;
      readonly writes: boolean;
      /** Number of axes with strides. Null: C-contiguous. */
      readonly ndim: number | null;
      /** The alignment in bytes that the code asks for. Null: that of the dtype in C. */
      readonly align: number | null;
    }
  | { readonly kind: 'number'; readonly name: string; readonly type: NumberName }
  | { readonly kind: 'local'; readonly name: string; readonly dtype: DType }
  | { readonly kind: 'first'; readonly name: string; readonly axis: number }
  | {
      readonly kind: 'size';
      readonly name: string;
      readonly type: SizeType;
      /** The index of the array's slot. */
      readonly of: number;
      /** The axis whose length it is. Null: the number of all elements. */
      readonly axis: number | null;
    }
  | { readonly kind: 'struct'; readonly name: string; readonly dtype: DType };

type SizeType = NonNullable<SizeParameter['type']>;

/** The parameters of a kernel. */
export interface Signature {
  /** The parameters, in order. */
  readonly slots: readonly Slot[];
  /** The names of the parameters that a caller gives a value for. */
  readonly argumentNames: readonly string[];
  /** The types that native code takes, in order, by `TYPE_CODES`. */
  readonly types: readonly number[];
  /** Bytes of all values: 8 for each, and for a struct its own, rounded up to a multiple of 8. */
  readonly byteLength: number;
}

/** Reads the parameters of a definition. Throws ERR_TYPE, ERR_ARGUMENT, and what `dtype` throws. */
export function readSignature(parameters: object): Signature {
  const names = Object.keys(parameters);
  const slots = Object.entries(parameters).map(([name, value]) => readSlot(name, value, names));
  for (const slot of slots) if (slot.kind === 'size') checkSize(slot, slots);
  const byteLength = slots.reduce((sum, slot) => sum + slotBytes(slot), 0);
  const argumentNames = slots.filter(hasArgument).map(({ name }) => name);
  return { slots, argumentNames, types: slots.flatMap(typesOf), byteLength };
}

/** Returns whether a caller gives a value for a parameter. */
export function hasArgument({ kind }: Slot): boolean {
  return kind !== 'first' && kind !== 'size';
}

/** Returns the bytes that a slot's values take. */
export function slotBytes(slot: Slot): number {
  if (slot.kind === 'array') return SLOT_BYTES * (1 + (slot.ndim ?? 0));
  if (slot.kind !== 'struct') return SLOT_BYTES;
  return Math.ceil(slot.dtype.itemsize / SLOT_BYTES) * SLOT_BYTES;
}

function readSlot(name: string, value: unknown, names: readonly string[]): Slot {
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
  const key = Object.keys(OPTIONS).find((one) => keys.includes(one));
  const options = OPTIONS[key as keyof typeof OPTIONS] as readonly string[] | undefined;
  if (options === undefined || !keys.every((one) => one === key || options.includes(one))) {
    throw unknownParameter(path, value);
  }
  if (key === 'size') return readSize(dict, name, path, names);
  if (key === 'first') {
    return { kind: 'first', name, axis: readUpTo(dict, 'first', path, MOST_RANGE_AXES - 1) };
  }
  const dtype = readDType(dict.required(key as string), `${path}.${key}`);
  if (key === 'local') return { kind: 'local', name, dtype };
  if (key === 'struct') {
    checkStruct(dtype, `${path}.struct`);
    return { kind: 'struct', name, dtype };
  }
  const [ndim, align] = [readStrides(dict, path), readAlign(dict, path)];
  return { kind: 'array', name, dtype, writes: key === 'write', ndim, align };
}

/** What each kind of parameter may have besides the property that names the kind. */
const OPTIONS = {
  read: ['strides', 'align'],
  write: ['strides', 'align'],
  local: [],
  first: [],
  size: ['axis', 'type'],
  struct: [],
} as const;

const SIZE_TYPES: readonly SizeType[] = ['int32', 'uint32', 'int64', 'uint64'];

function readSize(dict: Dict, name: string, path: string, names: readonly string[]): Slot {
  const array = dict.required('size');
  const type = dict.optional('type') ?? 'uint32';
  if (!SIZE_TYPES.includes(type as SizeType)) {
    throw badArgument(`${path}.type`, `one of ${SIZE_TYPES.join(', ')}`, type);
  }
  const axis =
    dict.optional('axis') === undefined ? null : readUpTo(dict, 'axis', path, MOST_AXES - 1);
  return { kind: 'size', name, type: type as SizeType, of: names.indexOf(array as string), axis };
}

function checkSize({ name, of, axis }: Slot & { kind: 'size' }, slots: readonly Slot[]): void {
  const array = slots[of];
  const path = `parameters.${name}`;
  if (array?.kind !== 'array') {
    const known = slots.filter(({ kind }) => kind === 'array').map((one) => one.name);
    const expected =
      known.length === 0 ? 'a kernel with an array' : `one of the arrays ${known.join(', ')}`;
    throw mismatch('ERR_ARGUMENT', `${path}.size`, expected, array?.name ?? 'another name');
  }
  if (axis === null || array.ndim === null || axis < array.ndim) return;
  throw mismatch(
    'ERR_ARGUMENT',
    `${path}.axis`,
    `an axis of '${array.name}', which has ${array.ndim}`,
    axis,
  );
}

function readAlign(dict: Dict, path: string): number | null {
  const value = dict.optional('align');
  if (value === undefined) return null;
  const isPower = typeof value === 'number' && Number.isInteger(Math.log2(value));
  if (isPower && value >= 1 && value <= MOST_ALIGN) return value;
  throw badArgument(`${path}.align`, `a power of 2 in 1 .. ${MOST_ALIGN}`, value);
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
    case 'size':
      return [TYPE_CODES[slot.type]];
    case 'struct':
      return [TYPE_CODES.struct + slot.dtype.itemsize * 2 ** STRUCT_BYTES_SHIFT];
  }
}

function isNumberName(name: string): name is NumberName {
  return Object.hasOwn(TYPE_CODES, name) && !['pointer', 'local', 'struct'].includes(name);
}

function unknownParameter(path: string, value: unknown): ArrayInterfaceError {
  return mismatch(
    'ERR_ARGUMENT',
    path,
    "a number's name ('uint32'), { read: dtype }, { write: dtype }, { local: dtype }, " +
      '{ size: name of an array }, { struct: fields } or { first: axis }',
    show(value),
    'add { strides: number of axes } to an array if the code takes its strides',
  );
}
