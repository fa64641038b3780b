import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type DType,
  type TypedArray,
} from '@array-interface/core';
import {
  type BufferMapping,
  decodeStruct,
  type Fields,
  type Launch,
  type NumberValue,
  readNumber,
  type Signature,
  type Slot,
  slotBytes,
  typedArray,
} from '@array-interface/core/backend';
import type { HostMemory } from '../memory/memory.js';

/** The code of a kernel. */
export type KernelFunction = (parameters: object, range: readonly number[]) => unknown;

/**
 * Calls a kernel with typed arrays over the arrays' own memory, which last as long as the memory.
 * Throws what the kernel throws; ERR_KERNEL if it returns a promise; ERR_NOT_ACCESSIBLE;
 * ERR_OUT_OF_MEMORY for local memory.
 */
export function callJavaScript(
  code: KernelFunction,
  signature: Signature,
  launch: Launch,
): undefined {
  const mappings: BufferMapping[] = [];
  try {
    const result = code(parametersOf(signature, launch, mappings), [...launch.range]);
    if (isThenable(result)) throw asynchronous(result);
  } finally {
    for (const mapping of mappings) mapping.end();
  }
}

/** The function's parameters, by name. Adds the mappings that end with the call to `mappings`. */
function parametersOf(
  signature: Signature,
  { values, uses, arrays }: Launch,
  mappings: BufferMapping[],
): object {
  const parameters = { ...templateOf(signature) };
  let view: DataView | undefined; // takes longer to make than to read
  let [place, index] = [0, 0];
  for (const slot of signature.slots) {
    if (slot.kind === 'array') {
      const array = arrays[index] as ArrayDescriptor;
      const memory = uses[index++]?.memory as HostMemory;
      parameters[slot.name] = elementsOf(slot, array, memory, mappings);
    } else {
      view ??= new DataView(values.buffer, values.byteOffset, values.byteLength);
      parameters[slot.name] = readValue(slot, view, place);
    }
    place += slotBytes(slot);
  }
  return parameters;
}

/** An object with a property for each parameter, which is copied faster than it is made. */
function templateOf(signature: Signature): Record<string, unknown> {
  const known = templates.get(signature);
  if (known !== undefined) return known;
  const made = Object.fromEntries(signature.slots.map(({ name }) => [name, undefined]));
  templates.set(signature, made);
  return made;
}

const templates = new WeakMap<Signature, Record<string, unknown>>();

function readValue(
  slot: Exclude<Slot, { readonly kind: 'array' }>,
  view: DataView,
  place: number,
): TypedArray | NumberValue | Fields {
  if (slot.kind === 'first') return view.getUint32(place, true);
  if (slot.kind === 'number' || slot.kind === 'size') return readNumber(view, place, slot.type);
  if (slot.kind === 'struct') return decodeStruct(view, place, slot.dtype);
  const { name, dtype } = slot;
  const byteLength = Number(view.getBigUint64(place, true));
  return typedArray(localMemory(name, byteLength), dtype, 0, byteLength, name);
}

function localMemory(path: string, byteLength: number): ArrayBuffer {
  try {
    return new ArrayBuffer(byteLength);
  } catch (cause) {
    throw new ArrayInterfaceError(
      'ERR_OUT_OF_MEMORY',
      path,
      `expected room for ${byteLength} bytes of local memory, got none; ask for fewer elements`,
      { cause },
    );
  }
}

/**
 * The elements in place. With `strides`: those from the lowest to the highest address, and their
 * offset and strides.
 */
function elementsOf(
  { name, ndim }: Slot & { readonly kind: 'array' },
  array: ArrayDescriptor,
  memory: HostMemory,
  mappings: BufferMapping[],
): unknown {
  const [low, high] = array.extent;
  const start = array.pointer + BigInt(low);
  const elements = bytesAt(name, array, memory, start, high - low, mappings);
  if (ndim === null) return elements;
  // In entries of `elements`: a complex number has two.
  const unit = elements.BYTES_PER_ELEMENT;
  const strides = array.byteStrides.map((stride) => stride / unit);
  return { elements, offset: array.size === 0 ? 0 : -low / unit, strides };
}

function bytesAt(
  name: string,
  { dtype }: ArrayDescriptor,
  memory: HostMemory,
  start: bigint,
  byteLength: number,
  mappings: BufferMapping[],
): TypedArray {
  const elements = (buffer: ArrayBufferLike, from: number) =>
    typedArray(buffer, dtype, from, byteLength, name);
  if (byteLength === 0) return elements(new ArrayBuffer(0), 0);
  // Core has checked the address, but the range that it lies in may begin anywhere.
  const offset = Number(start - (memory.allocation?.pointer ?? start));
  const isWhole = offset % dtype.itemsize === 0; // as nearly always, and then any unit divides it
  const unit = isWhole ? 1 : unitOf(dtype, name);
  if (memory.buffer !== null && offset % unit !== 0) {
    throw inaccessible(
      name,
      `elements at multiples of ${unit} bytes from the start of their buffer`,
      `elements at byte ${offset}`,
    );
  }
  const shared = memory.buffer ?? (offset % unit === 0 ? memory.kernelBuffer() : null);
  if (shared !== null) return elements(shared, offset);
  const mapping = memory.mapBuffer(start, byteLength, true);
  if (mapping === null) {
    throw inaccessible(
      name,
      'an ArrayBuffer over the memory',
      'none: this Node cannot make one, as in Electron',
    );
  }
  mappings.push(mapping);
  return elements(mapping.buffer, 0);
}

/** Bytes of an entry of the dtype's typed array. */
function unitOf(dtype: DType, path: string): number {
  return typedArray(new ArrayBuffer(0), dtype, 0, 0, path).BYTES_PER_ELEMENT;
}

function inaccessible(path: string, expected: string, got: string): ArrayInterfaceError {
  const message = `expected ${expected}, got ${got}; copy it with array()`;
  return new ArrayInterfaceError('ERR_NOT_ACCESSIBLE', path, message);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

function asynchronous(result: PromiseLike<unknown>): ArrayInterfaceError {
  Promise.resolve(result).catch(() => {}); // its result comes too late
  return new ArrayInterfaceError(
    'ERR_KERNEL',
    'code.host.javascript',
    'expected a function that is done when it returns, got one that returns a promise; ' +
      'await what it needs before the launch',
  );
}
