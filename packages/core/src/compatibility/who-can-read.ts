import { type ArrayDescriptor, assertArrayDescriptor } from '../descriptor/descriptor.js';
import type { SyclObject } from '../descriptor/syclobj.js';
import { DLPACK_DEVICES } from '../dlpack/device.js';
import { toDLPack } from '../dlpack/to-dlpack.js';
import { isArrayInterfaceError } from '../errors/error.js';
import { checkOptions, readOption } from '../input/argument.js';
import { assertAddress, assertBare, assertNoBits } from '../protocols/assert-writable.js';
import { toCudaArrayInterface } from '../protocols/cuda.js';
import { toArrayInterface } from '../protocols/host.js';
import { toSyclUsmArrayInterface } from '../protocols/sycl.js';
import { CONSUMERS, type Consumer } from './consumers.js';
import { RULES, type Rule } from './rules.js';

const CPU = { type: DLPACK_DEVICES.cpu, id: 0 };

/** What one consumer does with an array. */
export interface Compatibility extends Consumer {
  /** Whether it accepts the array. */
  readonly takes: boolean;
  /**
   * The first of its `needs` that the array breaks, or `protocol` if no dict of its interface can
   * represent the array. Null if it accepts the array.
   */
  readonly breaks: Rule | 'protocol' | null;
  /** `breaks` in words, with what to do. Null if it accepts the array. */
  readonly why: string | null;
  /**
   * The rules of `overlooks` that the array breaks: the consumer accepts the array and reads it
   * incorrectly, or copies it.
   */
  readonly ignores: readonly Rule[];
  /** What it loses by each of `ignores`, in words. */
  readonly loses: readonly string[];
}

/**
 * Returns, for each known consumer, whether it accepts what core would write of `array`: a dict or
 * a DLPack tensor. Reports which rule the array breaks if not, and what the consumer would silently
 * ignore. Copies nothing and does not block.
 *
 * Considers only the layout, in the CUDA interface of `version` (default 3): only a backend can
 * determine whether the consumer can access the memory. A SYCL dict needs a `syclobj`, of the array
 * or in the options. Throws ERR_TYPE unless `array` is a descriptor, ERR_VERSION, ERR_ARGUMENT.
 *
 * @example
 * ```ts
 * import { whoCanRead } from '@array-interface/core/compatibility';
 * import { host } from '@array-interface/host';
 *
 * using array = await host.array([1, 2, 3], { dtype: 'float32' });
 * for (const { name, takes, why } of whoCanRead(array.descriptor)) console.log(name, takes, why);
 * ```
 */
export function whoCanRead(
  array: ArrayDescriptor,
  options: { readonly version?: 0 | 1 | 2 | 3; readonly syclobj?: SyclObject } = {},
): readonly Compatibility[] {
  assertArrayDescriptor(array, 'array');
  checkOptions(options, ['version', 'syclobj']);
  const version = readOption(options, 'version', 3);
  const syclobj = readOption(options, 'syclobj');
  const refusals = {
    cuda: refusalOf(() => toCudaArrayInterface(array, { version })),
    sycl: refusalOf(() => toSyclUsmArrayInterface(array, syclobj === undefined ? {} : { syclobj })),
    host: refusalOf(() => toArrayInterface(array)),
    dlpack: refusalOf(() => toDLPack(array, { device: CPU })),
    buffer: refusalOf(() => assertBuffer(array)),
  };
  return CONSUMERS.map((consumer) => judge(consumer, array, version, refusals[consumer.protocol]));
}

/** Throws what the writers throw if no Python buffer can represent the array. */
function assertBuffer(array: ArrayDescriptor): void {
  assertBare(array, 'a buffer of Python');
  assertNoBits(array);
  assertAddress(array, '');
}

/** `unwritable`: why no dict of the consumer's protocol can represent the array, or null. */
function judge(
  consumer: Consumer,
  array: ArrayDescriptor,
  version: number,
  unwritable: string | null,
): Compatibility {
  const refused = (breaks: Rule | 'protocol', why: string) =>
    ({ ...consumer, takes: false, breaks, why, ignores: [], loses: [] }) as const;
  if (unwritable !== null) return refused('protocol', unwritable);
  const isBroken = (rule: Rule) => !RULES[rule].keeps(array, version);
  const breaks = consumer.needs.find(isBroken);
  if (breaks !== undefined) {
    return refused(breaks, `expects ${RULES[breaks].expected}; ${RULES[breaks].cure}`);
  }
  const ignores = consumer.overlooks.filter(isBroken);
  const loses = new Set(ignores.map((rule) => RULES[rule].lost as string));
  return { ...consumer, takes: true, breaks: null, why: null, ignores, loses: [...loses] };
}

/** Returns why the array cannot be written, or null. Throws for errors in the options. */
function refusalOf(write: () => unknown): string | null {
  try {
    write();
    return null;
  } catch (error) {
    if (!isArrayInterfaceError(error)) throw error;
    if (error.code === 'ERR_VERSION' || error.code === 'ERR_ARGUMENT') throw error;
    return error.reason;
  }
}
