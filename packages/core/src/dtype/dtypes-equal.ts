import { type DTypeLike, sameDType } from './dtype.js';
import { readDType } from './read-dtype.js';

/**
 * Whether elements of both mean the same: kind, size, byte order, unit, and fields by name and place.
 * Opaque bytes equal others of their size, unless the two have different names. Takes what `dtype` takes,
 * and throws as it does, with the path `a` or `b`.
 */
export function dtypesEqual(a: DTypeLike, b: DTypeLike): boolean {
  return sameDType(readDType(a, 'a'), readDType(b, 'b'));
}
