import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { addTerm, readBudget, sumWithin, type Term } from './bounded-sum.js';
import { mayOverlap, reach, relate } from './may-share-memory.js';

/**
 * Returns whether some byte belongs to an element of both arrays, exactly. Padding inside an
 * element belongs to it. Copies nothing.
 *
 * Arrays without bytes share nothing, nor do arrays in different buffers. Masks are arrays of their
 * own. `maxWork` bounds the search, in steps of about a microsecond: 1,000,000 by default, or
 * Infinity. Throws ERR_TYPE, ERR_ARGUMENT, ERR_TOO_HARD (past `maxWork`), ERR_POINTER_UNKNOWN (an
 * array at an address and one in a buffer, or two SharedArrayBuffers, which cannot be compared),
 * ERR_DISPOSED.
 *
 * @example
 * ```ts
 * import { fromProducer, slice } from '@array-interface/core';
 * import { sharesMemory } from '@array-interface/core/overlap';
 *
 * const row = fromProducer(new Float32Array(8));
 * const even = slice(row, [[0, null, 2]]);
 * const odd = slice(row, [[1, null, 2]]); // the extents of both overlap
 * console.log(sharesMemory(even, odd)); // false
 * ```
 */
export function sharesMemory(
  a: DescribedArray,
  b: DescribedArray,
  options?: { readonly maxWork?: number },
): boolean {
  const budget = readBudget(options);
  const [one, other] = [describeArray(a, 'a'), describeArray(b, 'b')];
  if (!mayOverlap(one, other)) return false;
  if (relate(one.buffer, other.buffer) === 'unknown') {
    throw mismatch(
      'ERR_POINTER_UNKNOWN',
      'b',
      'two arrays with addresses, or two whose buffers can be compared',
      'two that cannot be compared',
      'import them with the host backend, which knows their addresses',
    );
  }
  const terms: Term[] = [];
  const slack = BigInt(addTerms(terms, one)) + BigInt(addTerms(terms, other)) - 2n;
  // A shared byte counts up from the lowest byte of one and back from the highest of the other.
  return sumWithin(terms, reach(one, other) - 1n, slack, budget);
}

/** Adds the steps between the blocks of bytes that elements fill. Returns the length of a block. */
function addTerms(terms: Term[], array: ArrayDescriptor): number {
  const { dtype, shape, byteStrides } = array;
  if (dtype.kind === 't') return array.nbytes;
  for (let axis = 0; axis < shape.length; axis++) {
    addTerm(terms, Math.abs(byteStrides[axis] as number), (shape[axis] as number) - 1);
  }
  return dtype.itemsize;
}
