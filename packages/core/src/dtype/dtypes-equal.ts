import { type DTypeLike, sameDType } from './dtype.js';
import { dtype } from './read-dtype.js';

/**
 * Whether elements of both mean the same: kind, size, byte order, unit, and fields by name and place.
 * Opaque bytes equal others of their size, unless the two have different names. Takes what `dtype` takes,
 * and throws as it does.
 */
export function dtypesEqual(a: DTypeLike, b: DTypeLike): boolean {
  return sameDType(dtype(a), dtype(b));
}
