declare const unit: unique symbol;

/**
 * Strides in bytes, the unit of a descriptor: one number per axis, negative if the axis is
 * reversed.
 */
export type ByteStrides = readonly number[] & { readonly [unit]?: 'bytes' };

/** Strides in elements, the unit of SUAI and DLPack. TypeScript rejects one unit for the other. */
export type ElementStrides = readonly number[] & { readonly [unit]?: 'elements' };

/**
 * Returns the byte strides of a C-contiguous array, as a new list. Axes of length 0 count as length
 * 1, as in NumPy. A stride past 2^53 - 1, which only an empty array can have, is 0.
 */
export function contiguousByteStrides(shape: readonly number[], itemsize: number): ByteStrides {
  const strides = new Array<number>(shape.length);
  let step = itemsize;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = Number.isSafeInteger(step) ? step : 0;
    step *= Math.max(1, shape[axis] as number);
  }
  return strides;
}

/**
 * Converts byte strides to element strides, as a new list; `itemsize` is in bytes. Returns null if
 * the stride of any axis is not a whole number of elements. SUAI v1, `strides`.
 */
export function toElementStrides(strides: ByteStrides, itemsize: number): ElementStrides | null {
  if (itemsize === 0) {
    return strides.every((stride) => stride === 0) ? [...strides] : null;
  }
  if (strides.some((stride) => stride % itemsize !== 0)) return null;
  return strides.map((stride) => stride / itemsize + 0);
}
