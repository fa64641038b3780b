/** A part of JavaScript memory. */
export interface MemoryPart {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Typestr of its elements; bytes for a buffer or a DataView. */
  readonly typestr: string;
}

const TYPESTRS: Readonly<Record<string, string>> = {
  Int8Array: '|i1',
  Uint8Array: '|u1',
  Uint8ClampedArray: '|u1',
  Int16Array: '<i2',
  Uint16Array: '<u2',
  Int32Array: '<i4',
  Uint32Array: '<u4',
  BigInt64Array: '<i8',
  BigUint64Array: '<u8',
  Float16Array: '<f2',
  Float32Array: '<f4',
  Float64Array: '<f8',
};

// the engine's own getters: they see through subclasses and realms, and nothing can pose as a buffer
const TypedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const arrayKind = getter(TypedArray, Symbol.toStringTag);
const arrayPart = [
  getter(TypedArray, 'buffer'),
  getter(TypedArray, 'byteOffset'),
  getter(TypedArray, 'byteLength'),
];
const viewPart = ['buffer', 'byteOffset', 'byteLength'].map((key) =>
  getter(DataView.prototype, key),
);
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const sharedLength =
  typeof SharedArrayBuffer === 'undefined'
    ? () => undefined
    : getter(SharedArrayBuffer.prototype, 'byteLength');

/**
 * The memory behind an ArrayBuffer, SharedArrayBuffer, typed array or DataView; null for anything
 * else. A view that its buffer no longer reaches has no bytes. Does not copy.
 */
export function memoryOf(value: unknown): MemoryPart | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!ArrayBuffer.isView(value)) {
    const byteLength = (attempt(bufferLength, value) ?? attempt(sharedLength, value)) as
      | number
      | undefined;
    if (byteLength === undefined) return null;
    return { buffer: value as ArrayBufferLike, byteOffset: 0, byteLength, typestr: '|u1' };
  }
  const kind = arrayKind.call(value) as string | undefined;
  const [buffer, byteOffset, byteLength] = (kind === undefined ? viewPart : arrayPart).map((get) =>
    attempt(get, value),
  );
  return {
    buffer: buffer as ArrayBufferLike,
    byteOffset: (byteOffset as number | undefined) ?? 0,
    byteLength: (byteLength as number | undefined) ?? 0,
    typestr: TYPESTRS[kind ?? ''] ?? '|u1',
  };
}

type Getter = (this: object) => unknown;

function getter(prototype: object, key: PropertyKey): Getter {
  return Object.getOwnPropertyDescriptor(prototype, key)?.get as Getter;
}

function attempt(get: Getter, value: object): unknown {
  try {
    return get.call(value);
  } catch {
    return undefined;
  }
}
