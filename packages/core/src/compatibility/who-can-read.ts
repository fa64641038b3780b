import { type ArrayDescriptor, assertArrayDescriptor } from '../descriptor/descriptor.js';
import { isArrayInterfaceError } from '../errors/error.js';
import { readOption } from '../input/argument.js';
import { type CudaWriteOptions, toCudaArrayInterface } from '../protocols/cuda.js';
import { toArrayInterface } from '../protocols/host.js';
import { type SyclWriteOptions, toSyclUsmArrayInterface } from '../protocols/sycl.js';
import { CONSUMERS, type Consumer } from './consumers.js';
import { RULES, type Rule } from './rules.js';

/** How the interfaces are written that the consumers would read. */
export type ReportOptions = CudaWriteOptions & SyclWriteOptions;

/** What one consumer makes of an array. */
export interface Compatibility extends Consumer {
  readonly takes: boolean;
  /**
   * What it refuses the array for: the first of its `needs` that the array breaks, or `protocol`
   * when no dict of its interface can hold the array; null when it takes it.
   */
  readonly breaks: Rule | 'protocol' | null;
  /** The same for people, with what to do; null when it takes the array. */
  readonly why: string | null;
  /** Of its `overlooks`, what the array breaks: it takes the array and gets that wrong. */
  readonly ignores: readonly Rule[];
}

/**
 * What each known consumer makes of the dict that core would write of `array`: whether it takes it,
 * which rule the array breaks otherwise, and what it would silently ignore. The layout alone is
 * judged: whether the consumer reaches the memory, only a backend knows. A SYCL dict needs a
 * `syclobj`, of the array or in the options. Copies nothing, waits for nothing. Throws ERR_TYPE
 * unless `array` is a descriptor, ERR_VERSION, ERR_ARGUMENT.
 */
export function whoCanRead(
  array: ArrayDescriptor,
  options: ReportOptions = {},
): readonly Compatibility[] {
  assertArrayDescriptor(array, 'array');
  const version = readOption(options, 'version', 3);
  const refusals = {
    cuda: refusalOf(() => toCudaArrayInterface(array, { version })),
    sycl: refusalOf(() => toSyclUsmArrayInterface(array, options)),
    host: refusalOf(() => toArrayInterface(array)),
  };
  return CONSUMERS.map((consumer) => judge(consumer, array, version, refusals[consumer.protocol]));
}

/** `unwritable`: why no dict of the consumer's protocol holds the array, or null. */
function judge(
  consumer: Consumer,
  array: ArrayDescriptor,
  version: number,
  unwritable: string | null,
): Compatibility {
  if (unwritable !== null) {
    return { ...consumer, takes: false, breaks: 'protocol', why: unwritable, ignores: [] };
  }
  const isBroken = (rule: Rule) => !RULES[rule].keeps(array, version);
  const breaks = consumer.needs.find(isBroken) ?? null;
  if (breaks === null) {
    const ignores = consumer.overlooks.filter(isBroken);
    return { ...consumer, takes: true, breaks, why: null, ignores };
  }
  const { expected, cure } = RULES[breaks];
  return { ...consumer, takes: false, breaks, why: `expects ${expected}; ${cure}`, ignores: [] };
}

/** Why the array cannot be written, or null. Throws what is wrong with the options. */
function refusalOf(write: () => unknown): string | null {
  try {
    write();
    return null;
  } catch (error) {
    if (!isArrayInterfaceError(error)) throw error;
    if (error.code === 'ERR_VERSION' || error.code === 'ERR_ARGUMENT') throw error;
    return error.message;
  }
}
