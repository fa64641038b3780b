import { type DescribedArray, describeArray, exportArray } from '../descriptor/described-array.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { readFlag } from '../input/argument.js';

/** What to do about a stream. */
export const WAIT = 'wait for the stream, then pass { settled: true }';

/** What a writer is told about pending work on an array. */
export interface SettledOption {
  /**
   * True: the work on the array's stream, and on that of its mask, has ended, because the caller
   * waited for it. The stream is then omitted. Nothing else changes: masks and byte order are
   * rejected as usual.
   */
  readonly settled?: boolean;
}

/**
 * Returns what a writer writes of an array: without its streams if the caller reports that it has
 * waited for them, else with those that consumers must follow. `target` names what has no place for
 * a queue of SYCL, on which work on an array of a backend may be pending. Throws ERR_ARGUMENT,
 * ERR_STREAM, and what `exportArray` throws.
 */
export function readExported(
  array: DescribedArray,
  options: SettledOption,
  target: string | null,
): ArrayDescriptor {
  if (readFlag(options, 'settled')) return withoutStreams(describeArray(array, 'array'));
  const exported = exportArray(array, 'array');
  if (exported === array || exported.syclobj === null || target === null) return exported;
  const queue = 'an array with a queue, on which work may be pending';
  throw mismatch(
    'ERR_STREAM',
    'array',
    `no pending work, which ${target} cannot express`,
    queue,
    WAIT,
  );
}

function withoutStreams(array: ArrayDescriptor): ArrayDescriptor {
  const { mask } = array;
  return replace(array, { stream: null, mask: mask && replace(mask, { stream: null }) });
}

/** Throws ERR_MASK for a mask and ERR_STREAM for pending work; `target` can represent neither. */
export function assertBare(array: ArrayDescriptor, target: string): void {
  if (array.mask !== null) {
    throw mismatch(
      'ERR_MASK',
      'mask',
      `an array without a mask, which ${target} cannot hold`,
      'a masked one',
      'pass the mask separately',
    );
  }
  assertSettled(array, target, '');
}

/**
 * Throws ERR_STREAM for pending work, which `target` cannot represent; `prefix` leads to the array.
 */
export function assertSettled({ stream }: ArrayDescriptor, target: string, prefix: string): void {
  if (stream !== null) {
    throw mismatch(
      'ERR_STREAM',
      `${prefix}stream`,
      `no pending work, which ${target} cannot express`,
      `stream ${stream}`,
      WAIT,
    );
  }
}

/** Throws ERR_DTYPE_UNSUPPORTED for a bit field, which every reader rejects outside a mask. */
export function assertNoBits({ dtype }: ArrayDescriptor): void {
  if (dtype.kind === 't') {
    throw mismatch(
      'ERR_DTYPE_UNSUPPORTED',
      'typestr',
      'elements of whole bytes',
      `${show(dtype.typestr)}, which is allowed in masks only`,
      'unpack it to bytes',
    );
  }
}

/** Throws ERR_POINTER_UNKNOWN for an array in JavaScript memory. */
export function assertAddress(array: ArrayDescriptor, prefix: string): void {
  if (array.buffer !== null) {
    throw mismatch(
      'ERR_POINTER_UNKNOWN',
      `${prefix}data[0]`,
      'an array with an address',
      'one in a JavaScript buffer',
      'import it with the host backend first',
    );
  }
}
