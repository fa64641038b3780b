import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { ArrayInterfaceError } from '../errors/error.js';
import { readBudget, sumWithin, type Term } from './bounded-sum.js';
import { mayShareMemory, relate, span } from './may-share-memory.js';

/**
 * Whether some byte belongs to an element of both arrays, exactly; padding inside an element belongs
 * to it. Arrays without bytes share nothing, nor do arrays in different buffers. Masks are arrays of
 * their own. `maxWork` bounds the search: steps of about a microsecond, 1,000,000 by default, or Infinity.
 * Throws ERR_TYPE, ERR_ARGUMENT, ERR_TOO_HARD (past `maxWork`), ERR_POINTER_UNKNOWN (an
 * array at an address and one in a buffer, or two SharedArrayBuffers: nobody knows). Copies nothing.
 */
export function sharesMemory(
  a: ArrayDescriptor,
  b: ArrayDescriptor,
  options: { readonly maxWork?: number } = {},
): boolean {
  const budget = readBudget(options);
  if (!mayShareMemory(a, b)) return false;
  if (relate(a.buffer, b.buffer) === 'unknown') throw incomparable();
  const [low] = span(a);
  const [, high] = span(b);
  // a byte of `a` counted from its lowest equals one of `b` counted back from its highest
  const blockA = blockOf(a);
  const blockB = blockOf(b);
  const terms = [...blockA.terms, ...blockB.terms];
  return sumWithin(terms, high - 1n - low, blockA.length + blockB.length - 2n, budget);
}

/** Blocks of `length` bytes that the elements fill, and the steps from one to the next. */
function blockOf(array: ArrayDescriptor): { terms: Term[]; length: bigint } {
  if (array.dtype.kind === 't') return { terms: [], length: BigInt(array.nbytes) };
  const terms = array.shape.map((length, axis) => ({
    step: BigInt(Math.abs(array.byteStrides[axis] as number)),
    most: BigInt(length - 1),
  }));
  return { terms, length: BigInt(array.itemsize) };
}

function incomparable(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    'b',
    'expected two arrays at addresses, or two whose buffers can be told apart, got others; ' +
      'import them with the host backend, which knows their addresses',
  );
}
