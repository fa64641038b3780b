import { type DescribedArray, exportArray } from '../descriptor/described-array.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import type { SyclObject } from '../descriptor/syclobj.js';
import { DLPACK_DEVICES } from '../dlpack/device.js';
import { toDLPack } from '../dlpack/to-dlpack.js';
import { isArrayInterfaceError } from '../errors/error.js';
import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { assertAddress, assertBare, assertNoBits } from '../protocols/assert-writable.js';
import { toCudaArrayInterface } from '../protocols/cuda.js';
import { toArrayInterface } from '../protocols/host.js';
import type { Protocol } from '../protocols/protocol.js';
import { toSyclUsmArrayInterface } from '../protocols/sycl.js';
import { CONSUMERS, type Consumer } from './consumers.js';
import { RULES, type Rule } from './rules.js';

/** What each memory is called. */
const MEMORIES: Readonly<Record<Protocol, string>> = {
  cuda: 'CUDA memory',
  sycl: 'memory of SYCL',
  host: 'host memory',
};

const CPU = { type: DLPACK_DEVICES.cpu, id: 0 };

/** What one consumer does with an array. */
export interface Compatibility extends Consumer {
  /** Whether it accepts the array. */
  readonly takes: boolean;
  /**
   * `memory` if it reads other memory than the option names; `protocol` if no dict of its interface
   * can represent the array; else the first of its `needs` that the array breaks. Null if it accepts
   * the array.
   */
  readonly breaks: Rule | 'memory' | 'protocol' | null;
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
 * Considers the layout, in the CUDA interface of `version` (default 3). `memory` says whose memory
 * it is in, by protocol: consumers of other memory then refuse it, until it is copied. Without it,
 * only the layout counts. Whether a process can access the memory, only a backend can determine. An
 * array of a backend is considered as if the work on it had ended. A SYCL dict needs a `syclobj`, of
 * the array or in the options. Throws ERR_TYPE, ERR_DISPOSED, ERR_VERSION, ERR_ARGUMENT, and what
 * the getter of the array's own dict throws.
 *
 * @example
 * ```ts
 * import { whoCanRead } from '@array-interface/core/compatibility';
 * import { host } from '@array-interface/host';
 *
 * using array = await host.array([1, 2, 3], { dtype: 'float32' });
 * for (const { name, takes, why } of whoCanRead(array)) console.log(name, takes, why);
 * ```
 */
export function whoCanRead(
  array: DescribedArray,
  options: {
    readonly version?: 0 | 1 | 2 | 3;
    readonly syclobj?: SyclObject;
    readonly memory?: Protocol;
  } = {},
): readonly Compatibility[] {
  checkOptions(options, ['version', 'syclobj', 'memory']);
  const described = layoutOf(array);
  const version = readOption(options, 'version', 3);
  const syclobj = readOption(options, 'syclobj');
  const memory = readMemory(readOption(options, 'memory'));
  const refusals = {
    cuda: refusalOf(() => toCudaArrayInterface(described, { version })),
    sycl: refusalOf(() =>
      toSyclUsmArrayInterface(described, syclobj === undefined ? {} : { syclobj }),
    ),
    host: refusalOf(() => toArrayInterface(described)),
    dlpack: refusalOf(() => toDLPack(described, { device: CPU })),
    buffer: refusalOf(() => assertBuffer(described)),
  };
  return CONSUMERS.map((consumer) => {
    const wanted = memoryOf(consumer);
    if (memory !== undefined && memory !== wanted) {
      const why = `expects ${MEMORIES[wanted]}, got ${MEMORIES[memory]}; copy it there first`;
      return refusedBy(consumer, 'memory', why);
    }
    return judge(consumer, described, version, refusals[consumer.protocol]);
  });
}

function readMemory(value: unknown): Protocol | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && Object.hasOwn(MEMORIES, value)) return value as Protocol;
  throw badArgument('memory', "'cuda', 'sycl' or 'host'", value);
}

/** Whose memory a consumer reads. */
function memoryOf({ protocol }: Consumer): Protocol {
  return protocol === 'dlpack' || protocol === 'buffer' ? 'host' : protocol;
}

/** Returns a descriptor unchanged, and an array of a backend as if the work on it had ended. */
function layoutOf(array: DescribedArray): ArrayDescriptor {
  const exported = exportArray(array, 'array');
  return exported === array ? exported : replace(exported, { stream: null });
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
  if (unwritable !== null) return refusedBy(consumer, 'protocol', unwritable);
  const isBroken = (rule: Rule) => !RULES[rule].keeps(array, version);
  const breaks = consumer.needs.find(isBroken);
  if (breaks !== undefined) {
    return refusedBy(consumer, breaks, `expects ${RULES[breaks].expected}; ${RULES[breaks].cure}`);
  }
  const ignores = consumer.overlooks.filter(isBroken);
  const loses = new Set(ignores.map((rule) => RULES[rule].lost as string));
  return { ...consumer, takes: true, breaks: null, why: null, ignores, loses: [...loses] };
}

function refusedBy(
  consumer: Consumer,
  breaks: Exclude<Compatibility['breaks'], null>,
  why: string,
): Compatibility {
  return { ...consumer, takes: false, breaks, why, ignores: [], loses: [] };
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
