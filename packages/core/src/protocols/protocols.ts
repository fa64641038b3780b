import { fromCudaArrayInterface, toCudaArrayInterface } from './cuda.js';
import { fromArrayInterface, toArrayInterface } from './host.js';
import { ATTRIBUTES } from './protocol.js';
import { fromSyclUsmArrayInterface, toSyclUsmArrayInterface } from './sycl.js';

/**
 * The interfaces as data, for code that selects one at run time. Each has the attribute under which
 * a producer exposes it, the reader of its dict, and the writer.
 *
 * @example
 * ```ts
 * import { protocols } from '@array-interface/core';
 * import { host } from '@array-interface/host';
 *
 * using array = host.empty([3], 'float32');
 * const { attribute, write } = protocols[host.protocol];
 * const producer = { [attribute]: write(array.descriptor) };
 * ```
 */
export const protocols: {
  readonly cuda: Entry<typeof fromCudaArrayInterface, typeof toCudaArrayInterface>;
  readonly sycl: Entry<typeof fromSyclUsmArrayInterface, typeof toSyclUsmArrayInterface>;
  readonly host: Entry<typeof fromArrayInterface, typeof toArrayInterface>;
} = Object.freeze({
  cuda: entry(ATTRIBUTES.cuda, fromCudaArrayInterface, toCudaArrayInterface),
  sycl: entry(ATTRIBUTES.sycl, fromSyclUsmArrayInterface, toSyclUsmArrayInterface),
  host: entry(ATTRIBUTES.host, fromArrayInterface, toArrayInterface),
});

type Entry<Read, Write> = {
  readonly attribute: string;
  readonly read: Read;
  readonly write: Write;
};

function entry<Read, Write>(attribute: string, read: Read, write: Write): Entry<Read, Write> {
  return Object.freeze({ attribute, read, write });
}
