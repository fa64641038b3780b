import { isArrayInterfaceError } from '../errors/error.js';
import { asked, producerError } from '../input/dict.js';
import { type ArrayDescriptor, assertArrayDescriptor, isArrayDescriptor } from './descriptor.js';

/**
 * What functions accept where they need a layout: a descriptor, or an object that has one, as every
 * array of a backend does. An array that was disposed is refused. A view of either is a descriptor;
 * the methods of an array return arrays.
 */
export type DescribedArray = ArrayDescriptor | { readonly descriptor: ArrayDescriptor };

/**
 * The property through which arrays of backends describe themselves, of every installed copy of
 * core. It holds a function, and in a proxy of an array undefined.
 */
export const describeBrand: unique symbol = Symbol.for('array-interface.describe') as never;

/**
 * Returns the descriptor of a live array. If `isExported`, that is the one that the array's own
 * dict states, with the stream or queue that consumers must follow. Throws ERR_DISPOSED with the
 * path, and what the getter of that dict throws.
 */
export type DescribeItself = (path: string, isExported: boolean) => ArrayDescriptor;

/**
 * Returns the layout of an array: a descriptor unchanged, or that of what has one. Throws ERR_TYPE
 * for anything else, ERR_DISPOSED for an array whose memory has ended.
 */
export function describeArray(array: unknown, path: string): ArrayDescriptor {
  return isArrayDescriptor(array) ? array : describe(array, path, false);
}

/**
 * `describeArray` for those who hand the array on: the descriptor of a backend's array has the
 * stream or queue that its own dict names. Throws what `describeArray` and the getter of the dict
 * throw.
 */
export function exportArray(array: unknown, path: string): ArrayDescriptor {
  return isArrayDescriptor(array) ? array : describe(array, path, true);
}

function describe(array: unknown, path: string, isExported: boolean): ArrayDescriptor {
  const own = describeItself(array);
  const described =
    own === null
      ? descriptorOf(array, path)
      : asked('ERR_TYPE', path, () => own(path, isExported) as unknown);
  if (isArrayDescriptor(described)) return described;
  assertArrayDescriptor(array, path);
  return array;
}

/** An object that is not an array of a backend may throw anything. */
function descriptorOf(value: unknown, path: string): unknown {
  try {
    return Object(value).descriptor;
  } catch (cause) {
    if (isArrayInterfaceError(cause, 'ERR_DISPOSED')) throw cause;
    throw producerError('ERR_TYPE', path, cause);
  }
}

/** Returns the function by which an array of a backend describes itself. Null for anything else. */
export function describeItself(array: unknown): DescribeItself | null {
  if (typeof array !== 'object' || array === null) return null;
  try {
    // A closure for `withFallback` would cost as much as the rest of a short call's checks.
    const own = (array as { readonly [describeBrand]?: unknown })[describeBrand];
    return typeof own === 'function' ? (own as DescribeItself) : null;
  } catch {
    return null;
  }
}
