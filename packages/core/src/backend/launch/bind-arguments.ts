import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { type DType, type RecordField, sameDType } from '../../dtype/dtype.js';
import { isArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { showList } from '../../errors/show.js';
import { badArgument, checkOptions, readOption } from '../../input/argument.js';
import { notAnArray } from '../../input/instead-of-array.js';
import { readNumberWithin, writeNumber } from '../../kernel/number.js';
import {
  hasArgument,
  MOST_ALIGN,
  type Signature,
  SLOT_BYTES,
  type Slot,
  slotBytes,
} from '../../kernel/signature.js';
import { encodeStruct } from '../../kernel/struct.js';
import { shareBytes } from '../../overlap/may-share-memory.js';
import { overlapsItself } from '../../overlap/overlaps-itself.js';
import { sharesMemory } from '../../overlap/shares-memory.js';
import { acquire } from '../access/acquire.js';
import { checkUsed } from '../access/check-used.js';
import { describeSource } from '../access/describe-source.js';
import type { ArrayLike, Backend } from '../interface/array.js';
import type { Driver, Use } from '../interface/driver.js';
import { BackendAdvice } from '../interface/instead-of-own-array.js';
import { assertOwn } from '../interface/memory.js';

/** An array argument: its elements at the addresses that queues use, and how the code uses them. */
export interface BoundArray extends Use {
  readonly slot: Slot & { readonly kind: 'array' };
  readonly array: ArrayDescriptor;
}

/** What the code takes: each slot's values; sizes in bytes for local memory. */
export interface Values {
  readonly view: DataView;
  readonly bytes: Uint8Array;
}

/** The values of an earlier launch, for reuse: a buffer costs more than what is written to it. */
const spares = new WeakMap<Signature, Values>();

/** An argument. It is read once, since a getter may return another value the next time. */
interface Given {
  /** The bytes of a struct; any other argument as it was given. */
  readonly value: unknown;
  /** The array, or null for any other argument. */
  readonly array: ArrayDescriptor | null;
}

/** The checked arguments of a launch. Their memories are retained until it is released. */
export interface BoundArguments {
  readonly values: Values;
  readonly arrays: readonly BoundArray[];
  /** In the order of the parameters; less than 2^32 bytes in total. */
  readonly local: readonly LocalMemory[];
  release(): void;
}

/** Local memory for a parameter. */
export interface LocalMemory {
  readonly name: string;
  readonly bytes: number;
}

const LOWEST_BITS = BigInt(MOST_ALIGN - 1);

type Resolve = (array: ArrayDescriptor) => ArrayDescriptor;

/**
 * Checks the arguments of a launch by name, kind and dtype, and retains their memory. Throws
 * ERR_ARGUMENT, ERR_TYPE, ERR_OVERFLOW, ERR_READ_ONLY, ERR_MASK, ERR_SELF_OVERLAP or ERR_TOO_HARD,
 * ERR_OVERLAP, ERR_STRIDE_UNIT, ERR_NOT_ACCESSIBLE, ERR_DISPOSED, and what `asArray` throws.
 */
export function bindArguments(
  backend: Backend,
  driver: Driver,
  signature: Signature,
  mayOverlap: boolean,
  given: object,
  resolve: Resolve,
): BoundArguments {
  const { slots } = signature;
  const read = readArguments(backend, driver, signature, given);
  const values = takeValues(signature, signature.byteLength);
  const { view } = values;
  const arrays: BoundArray[] = [];
  const release = () => {
    for (const { memory } of arrays) memory.release();
    spares.set(signature, values);
  };
  const local: LocalMemory[] = [];
  let place = 0;
  try {
    for (const [index, slot] of slots.entries()) {
      const { value, array } = read[index] as Given;
      if (slot.kind === 'array') {
        const bound = bindArray(backend, driver, slot, resolve(array as ArrayDescriptor));
        arrays.push(bound);
        writeAddress(view, place, bound.array);
        writeStrides(view, place, bound);
      } else if (slot.kind === 'local') {
        const bytes = readNumberWithin(value, slot.name, 'uint32') * BigInt(slot.dtype.itemsize);
        view.setBigUint64(place, bytes, true);
        addLocal(local, bytes, slot.name);
      } else if (slot.kind === 'number') {
        writeNumber(view, place, slot.type, value, slot.name);
      } else if (slot.kind === 'struct') {
        values.bytes.set(value as Uint8Array, place);
      } else if (slot.kind === 'size') {
        writeSize(view, place, slot, read[slot.of]?.array as ArrayDescriptor);
      }
      place += slotBytes(slot);
    }
    if (!mayOverlap) assertApart(arrays);
    return { values, arrays, local, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Reads all caller-supplied properties first. Their getters may dispose of an array or detach a
 * buffer, so memory is retained and checked only after the last of them was called.
 */
function readArguments(
  backend: Backend,
  driver: Driver,
  signature: Signature,
  given: object,
): readonly Given[] {
  const { slots } = signature;
  if (typeof given !== 'object' || given === null)
    throw badArgument('values', 'an object of arguments by name', given);
  checkOptions(given, signature.argumentNames);
  const values = slots.map((slot) => {
    if (!hasArgument(slot)) return undefined;
    const value = readOption(given as Record<string, unknown>, slot.name);
    return slot.kind === 'struct' ? encodeStruct(slot.dtype, value, slot.name) : value;
  });
  return slots.map((slot, index) => {
    const value = values[index];
    if (slot.kind !== 'array') return { value, array: null };
    const array = describe(backend, driver, slot.name, value);
    checkElements(array, slot);
    return { value, array };
  });
}

function takeValues(signature: Signature, byteLength: number): Values {
  const spare = spares.get(signature);
  if (spare !== undefined) {
    spares.delete(signature);
    return spare;
  }
  return newValues(byteLength);
}

export function newValues(byteLength: number): Values {
  const buffer = new ArrayBuffer(byteLength);
  return { view: new DataView(buffer), bytes: new Uint8Array(buffer) };
}

/** Adds local memory of a parameter. Throws ERR_OVERFLOW. */
function addLocal(local: LocalMemory[], bytes: bigint, name: string): void {
  local.push({ name, bytes: Number(bytes) });
  const all = local.reduce((sum, one) => sum + one.bytes, 0);
  if (all < 2 ** 32) return;
  throw mismatch('ERR_OVERFLOW', name, 'less than 2^32 bytes of local memory', `${all}`);
}

/** Fills in the first index along each axis that the code takes. */
export function writeFirst(
  { values: { view } }: BoundArguments,
  { slots }: Signature,
  begin: readonly number[],
): void {
  let place = 0;
  for (const slot of slots) {
    if (slot.kind === 'first') view.setUint32(place, begin[slot.axis] ?? 0, true);
    place += slotBytes(slot);
  }
}

/** Retains the memory of an array argument; the caller releases it. */
export function bindArray(
  backend: Backend,
  driver: Driver,
  slot: Slot & { readonly kind: 'array' },
  given: ArrayDescriptor,
): BoundArray {
  const { array, memory } = acquire(driver, given, slot.name);
  try {
    assertOwn(backend, memory, slot.name);
    const reached = memory.onDevice(array);
    checkAligned(reached, slot);
    return { slot, array: reached, memory, writes: slot.writes };
  } catch (error) {
    memory.release();
    throw error;
  }
}

function describe(backend: Backend, driver: Driver, name: string, value: unknown): ArrayDescriptor {
  const expected = 'an array, or an object with an interface dict';
  const refuse = () =>
    notAnArray('ERR_ARGUMENT', name, expected, value, new BackendAdvice(backend.name));
  if (typeof value !== 'object' || value === null) throw refuse();
  const source = value as ArrayLike;
  try {
    return describeSource(source, backend.protocol, driver, name, backend.name);
  } catch (error) {
    if (!isArrayInterfaceError(error, 'ERR_NO_INTERFACE')) throw error;
    // one of another path reports why its producer exports none
    if (error.path !== name || error.cause !== undefined) throw error;
    throw refuse();
  }
}

function checkElements(array: ArrayDescriptor, slot: Slot & { readonly kind: 'array' }): void {
  const { name, dtype, writes, ndim } = slot;
  if (!sameDType(array.dtype, dtype)) {
    throw mismatch(
      'ERR_ARGUMENT',
      name,
      `an array of ${dtype}`,
      `one of ${array.dtype}`,
      'convert it with array(…, { dtype })',
    );
  }
  checkUsed(array, name, writes);
  if (ndim === null) checkDense(array, name);
  else checkStrided(array, ndim, writes, name);
}

function checkStrided(array: ArrayDescriptor, ndim: number, writes: boolean, name: string): void {
  if (array.ndim !== ndim) {
    throw mismatch('ERR_ARGUMENT', name, `an array of ${ndim} axes`, `one of ${array.ndim}`);
  }
  if (writes && overlapsItself(array)) {
    throw mismatch(
      'ERR_SELF_OVERLAP',
      name,
      'elements that share no memory',
      `shape ${showList(array.shape)} with byte strides ${showList(array.byteStrides)}, where some do`,
      'pass a copy, made with array()',
    );
  }
}

function checkDense(array: ArrayDescriptor, name: string): void {
  if (array.contiguous.c) return;
  throw mismatch(
    'ERR_ARGUMENT',
    name,
    'a C-contiguous array, since the code takes no strides',
    `shape ${showList(array.shape)} with byte strides ${showList(array.byteStrides)}`,
    'copy it with array(), or declare { strides } and have the code use them',
  );
}

/**
 * Rejects misaligned elements: on a GPU they end all work of its context. Strides are whole
 * elements, so if the first is aligned, all are.
 */
function checkAligned(
  { size, pointer }: ArrayDescriptor,
  { name, dtype, align }: Slot & { readonly kind: 'array' },
): void {
  const alignment = align ?? alignmentOf(dtype);
  // An alignment is a power of 2, so the lowest bits tell, and they fit a number.
  const past = Number(pointer & LOWEST_BITS) % alignment;
  if (size === 0 || past === 0) return;
  throw mismatch(
    'ERR_NOT_ACCESSIBLE',
    name,
    `elements aligned to ${alignment} bytes`,
    `elements ${past} bytes past a multiple of that`,
    'copy it with array()',
  );
}

/** Returns the C alignment of the dtype: that of one number or character in an element. */
function alignmentOf({ kind, itemsize, name, fields }: DType): number {
  if (name === 'bfloat16' || name === 'complex32') return 2;
  if (fields !== null) return alignmentOfRecord(itemsize, fields);
  if (kind === 'U') return 4;
  if (kind === 'S' || kind === 'V') return 1;
  return kind === 'c' ? itemsize / 2 : itemsize;
}

/** Code that takes a record whose fields are not at C's offsets does not require alignment. */
function alignmentOfRecord(itemsize: number, fields: readonly RecordField[]): number {
  const alignments = fields.map(({ dtype }) => alignmentOf(dtype));
  const most = Math.max(1, ...alignments);
  const isAsInC = fields.every(({ offset }, index) => offset % (alignments[index] as number) === 0);
  return isAsInC && itemsize % most === 0 ? most : 1;
}

export function writeAddress(
  values: DataView,
  place: number,
  { size, pointer }: ArrayDescriptor,
): void {
  values.setBigUint64(place, size === 0 ? 0n : pointer, true);
}

/** Writes the strides behind the address, if the code takes them. */
function writeStrides(values: DataView, place: number, { slot, array }: BoundArray): void {
  if (slot.ndim === null) return;
  const { elementStrides } = array;
  if (elementStrides === null) {
    throw mismatch(
      'ERR_STRIDE_UNIT',
      slot.name,
      `byte strides that are multiples of ${array.itemsize}`,
      showList(array.byteStrides),
      'copy it with array()',
    );
  }
  for (let axis = 0; axis < elementStrides.length; axis++) {
    const stride = BigInt(elementStrides[axis] as number);
    values.setBigInt64(place + (axis + 1) * SLOT_BYTES, stride, true);
  }
}

/** Writes a length of an array. Throws ERR_ARGUMENT for an axis that it lacks, ERR_OVERFLOW. */
function writeSize(
  values: DataView,
  place: number,
  { name, type, axis }: Slot & { readonly kind: 'size' },
  { size, shape, ndim }: ArrayDescriptor,
): void {
  const length = axis === null ? size : shape[axis];
  if (length === undefined) {
    throw mismatch('ERR_ARGUMENT', name, `an array with an axis ${axis}`, `one of ${ndim} axes`);
  }
  writeNumber(values, place, type, length, name);
}

/** Throws ERR_OVERLAP if what is written shares bytes with another argument. */
export function assertApart(arrays: readonly BoundArray[]): void {
  for (let index = 1; index < arrays.length; index++) {
    const other = arrays[index] as BoundArray;
    for (let earlier = 0; earlier < index; earlier++) {
      const one = arrays[earlier] as BoundArray;
      if (!one.slot.writes && !other.slot.writes) continue;
      if (!overlap(one.array, other.array)) continue;
      throw mismatch(
        'ERR_OVERLAP',
        other.slot.name,
        'written arguments that share no bytes with others',
        `'${one.slot.name}' and '${other.slot.name}', which do`,
        'pass a copy of one, or define the kernel with { mayOverlap: true }',
      );
    }
  }
}

/** Returns whether two arrays share a byte. True if that would take long to determine. */
function overlap(one: ArrayDescriptor, other: ArrayDescriptor): boolean {
  if (one.nbytes === 0 || other.nbytes === 0 || !shareBytes(one, other)) return false;
  if (one.contiguous.c && other.contiguous.c) return true;
  try {
    return sharesMemory(one, other);
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_TOO_HARD')) return true;
    throw error;
  }
}
