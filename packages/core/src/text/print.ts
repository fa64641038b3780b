import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { reprText } from './array-text.js';
import { USUAL_LIMITS } from './limits.js';
import { shownPart } from './shown-part.js';

/** More elements are not printed at once. Ends of six axes have 46,656. */
const MOST_ELEMENTS = 10_000;
/** Nor are elements with more bytes than this in all. */
const MOST_BYTES = 2 ** 20;

/**
 * Returns a short text of an array with its elements, which `peek` reads. Null if `peek` does not,
 * and for masked arrays and arrays of too many axes.
 */
export function printed(
  name: string,
  array: ArrayDescriptor,
  peek: (elements: ArrayDescriptor) => ArrayBuffer | null,
): string | null {
  if (array.mask !== null) return null;
  const part = shownPart(array, USUAL_LIMITS);
  const { size, nbytes } = part.elements;
  if (size > MOST_ELEMENTS || nbytes > MOST_BYTES) return null;
  const bytes = size === 0 ? new ArrayBuffer(0) : peek(part.elements);
  return bytes === null ? null : reprText(name, array, part, bytes, USUAL_LIMITS);
}
