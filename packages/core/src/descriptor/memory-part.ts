import { withFallback } from '../errors/with-fallback.js';
/** A part of JavaScript memory. */
export interface MemoryPart {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Name of the dtype of its elements; `uint8` for a buffer or a DataView. */
  readonly dtype: string;
}

// The engine's own getters work across subclasses and realms, and nothing can pose as a buffer.
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
 * Returns the memory behind an ArrayBuffer, SharedArrayBuffer, typed array or DataView. Null for
 * anything else. A view that its buffer no longer covers has no bytes. Copies nothing.
 */
export function memoryOf(value: unknown): MemoryPart | null {
  if (typeof value !== 'object' || value === null) return null;
  // This is the pair of a dict. Reading the length of a buffer from it would cost two exceptions.
  if (withFallback(() => Array.isArray(value), false)) return null;
  if (!ArrayBuffer.isView(value)) {
    const byteLength = (withFallback(() => bufferLength.call(value), undefined) ??
      withFallback(() => sharedLength.call(value), undefined)) as number | undefined;
    if (byteLength === undefined) return null;
    return { buffer: value as ArrayBufferLike, byteOffset: 0, byteLength, dtype: 'uint8' };
  }
  const kind = arrayKind.call(value) as string | undefined;
  const [buffer, byteOffset, byteLength] = (kind === undefined ? viewPart : arrayPart).map((get) =>
    withFallback(() => get.call(value), 0),
  ) as [ArrayBufferLike, number, number];
  return {
    buffer,
    byteOffset,
    byteLength,
    // `BigInt64Array` holds int64
    dtype: /(?:u?int|float)\d+/i.exec(kind ?? '')?.[0].toLowerCase() ?? 'uint8',
  };
}

type Getter = (this: object) => unknown;

function getter(prototype: object, key: PropertyKey): Getter {
  return Object.getOwnPropertyDescriptor(prototype, key)?.get as Getter;
}
