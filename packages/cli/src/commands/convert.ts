import {
  ArrayInterfaceError,
  isArrayInterfaceError,
  type Protocol,
  protocols,
} from '@array-interface/core';
import type { Described } from '../values/describe-value.js';
import { writeSyclobj } from '../values/syclobj.js';

/** Which interface to write, and how. */
export interface ConvertOptions {
  readonly to: Protocol;
  readonly cudaVersion?: 0 | 1 | 2 | 3;
  /** Default: the one in a SUAI dict. */
  readonly syclobj?: string;
  /** Declares that the work on the dicts' streams has ended. */
  readonly settled?: boolean;
}

/**
 * Returns the dict of another interface, under its attribute's name. Throws ArrayInterfaceError.
 */
export function convert({ array }: Described, options: ConvertOptions): object {
  try {
    return { [protocols[options.to].attribute]: write(array, options) };
  } catch (error) {
    if (!isArrayInterfaceError(error, 'ERR_STREAM')) throw error;
    const reason = error.reason.replace('{ settled: true }', '--settled');
    throw new ArrayInterfaceError(error.code, error.path, reason);
  }
}

function write(
  array: Described['array'],
  { to, cudaVersion: version, syclobj, settled = false }: ConvertOptions,
): object {
  if (to !== 'sycl') {
    return protocols[to].write(array, { settled, ...(version !== undefined && { version }) });
  }
  if (syclobj === undefined && array.syclobj === null) {
    const message =
      'expected --syclobj for a dict that names no queue, got none; add a filter selector, such as --syclobj opencl:cpu:0';
    throw new ArrayInterfaceError('ERR_SYCLOBJ', 'syclobj', message);
  }
  const dict = protocols.sycl.write(array, {
    ...(syclobj !== undefined && { syclobj }),
    settled,
  });
  return { ...dict, syclobj: writeSyclobj(dict.syclobj) };
}
