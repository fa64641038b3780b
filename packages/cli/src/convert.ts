import {
  ArrayInterfaceError,
  protocols,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '@array-interface/core';
import type { Described } from './describe-value.js';
import { writeSyclobj } from './syclobj.js';

/** Which interface to write, and how. */
export interface ConvertOptions {
  readonly to: keyof typeof protocols;
  readonly cudaVersion?: 0 | 1 | 2 | 3;
  /** Default: the one that a SUAI dict came with. */
  readonly syclobj?: string;
}

/** The dict of another interface under its attribute's name. Throws ArrayInterfaceError. */
export function convert({ array }: Described, options: ConvertOptions): object {
  return { [protocols[options.to].attribute]: write(array, options) };
}

function write(array: Described['array'], { to, cudaVersion, syclobj }: ConvertOptions): object {
  if (to === 'host') return toArrayInterface(array);
  if (to === 'cuda') {
    return toCudaArrayInterface(array, cudaVersion === undefined ? {} : { version: cudaVersion });
  }
  if (syclobj === undefined && array.syclobj === null) {
    const message =
      'expected --syclobj for a dict that names no queue, got none; add a filter selector, as --syclobj opencl:cpu:0';
    throw new ArrayInterfaceError('ERR_SYCLOBJ', 'syclobj', message);
  }
  const dict = toSyclUsmArrayInterface(array, syclobj === undefined ? {} : { syclobj });
  return { ...dict, syclobj: writeSyclobj(dict.syclobj) };
}
