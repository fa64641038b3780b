declare const unit: unique symbol;

/** Strides in bytes, the canonical unit of a descriptor; one entry per axis, any sign. */
export type ByteStrides = readonly number[] & { readonly [unit]: 'bytes' };
/** Strides in elements, the unit of SUAI and DLPack; not assignable to or from `ByteStrides`. */
export type ElementStrides = readonly number[] & { readonly [unit]: 'elements' };

/** Numbers whose unit nobody named, or that of these strides; never strides in the other unit. */
export type StridesLike<Strides extends ByteStrides | ElementStrides> = readonly number[] & {
  readonly [unit]?: Strides[typeof unit];
};

/** Declares plain numbers to be strides in bytes. Does not copy or check. */
export function byteStrides(values: StridesLike<ByteStrides>): ByteStrides {
  return values as ByteStrides;
}

/** Declares plain numbers to be strides in elements. Does not copy or check. */
export function elementStrides(values: StridesLike<ElementStrides>): ElementStrides {
  return values as ElementStrides;
}

/**
 * Byte strides of a C-contiguous array. Axes of length 0 count as length 1, as in NumPy; a stride
 * past 2^53 - 1, which only an array without elements can have, is 0. A new list.
 */
export function contiguousByteStrides(shape: readonly number[], itemsize: number): ByteStrides {
  const strides = new Array<number>(shape.length);
  let step = itemsize;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = Number.isSafeInteger(step) ? step : 0;
    step *= Math.max(1, shape[axis] as number);
  }
  return byteStrides(strides);
}

/** Element strides to byte strides, which is always possible. A new list; `itemsize` is in bytes. */
export function toByteStrides(strides: ElementStrides, itemsize: number): ByteStrides {
  return byteStrides(strides.map((stride) => stride * itemsize));
}

/**
 * Byte strides to element strides; null as a whole when any stride, of whatever axis, is not a
 * whole number of elements. A new list; `itemsize` is in bytes. SUAI v1, `strides`.
 */
export function toElementStrides(strides: ByteStrides, itemsize: number): ElementStrides | null {
  if (itemsize === 0) {
    return strides.every((stride) => stride === 0) ? elementStrides([...strides]) : null;
  }
  if (strides.some((stride) => stride % itemsize !== 0)) return null;
  return elementStrides(strides.map((stride) => stride / itemsize + 0));
}
