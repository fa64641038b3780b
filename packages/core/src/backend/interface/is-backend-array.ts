import { describeItself } from '../../descriptor/described-array.js';
import type { BackendArray } from './array.js';

/**
 * Returns whether `value` is an array of a backend, of any backend and any installed copy of core,
 * disposed or not. A Proxy of an array is none. Never throws. `isArrayDescriptor` recognises
 * descriptors.
 *
 * @example
 * ```ts
 * import { isBackendArray } from '@array-interface/core';
 * import { host } from '@array-interface/host';
 *
 * using row = host.empty([3], 'float32');
 * console.log(isBackendArray(row), isBackendArray(row.descriptor)); // true false
 * ```
 */
export function isBackendArray(value: unknown): value is BackendArray {
  return describeItself(value) !== null;
}
