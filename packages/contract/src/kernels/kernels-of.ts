import {
  defineKernel,
  type HostCode,
  type Kernel,
  type Parameters,
} from '@array-interface/core/kernel';
import { axpy, count, move, numbers } from './kernels.js';

/** The contract's kernels. */
export interface ContractKernels {
  /** `target[i] = factor * source[i] + target[i]`, for `i` below `n`. */
  readonly axpy: typeof axpy;
  /** Adds one to each item's element of `target`, whose shape is `planes`, `rows` and `columns`. */
  readonly count: typeof count;
  /** `target[row][column] = source[row][column]`, both with strides. */
  readonly move: typeof move;
  /** Writes `a` to `h` into `integers`, in this order, and `i` into `floats`. */
  readonly numbers: typeof numbers;
}

/**
 * The `code` of a kernel under the backend's name: the host's kind, or whatever the backend reads.
 */
type CodeOf<K> = K extends Kernel<infer P> ? object | HostCode<P> : never;

/** The code of each of the contract's kernels for one backend. */
export type ContractCode = {
  readonly [Name in keyof ContractKernels]: CodeOf<ContractKernels[Name]>;
};

const KERNELS: ContractKernels = { axpy, count, move, numbers };

/** The kernels, with code for a backend. Throws if there is none. */
export function kernelsOf(backend: string, code: ContractCode | undefined): ContractKernels {
  if (code !== undefined) return withCode(backend, code);
  if (Object.hasOwn(axpy.code, backend)) return KERNELS;
  throw new Error(
    `expected 'kernels' for the ${backend} backend, got none: the contract has code for ` +
      `${Object.keys(axpy.code).join(', ')} alone; give the code of ` +
      `${Object.keys(KERNELS).join(', ')}, or null if the backend runs no kernels`,
  );
}

function withCode(backend: string, code: ContractCode): ContractKernels {
  const made = <P extends Parameters>(kernel: Kernel<P>, its: object): Kernel<P> =>
    defineKernel({ ...kernel, code: { [backend]: its } });
  return {
    axpy: made(axpy, code.axpy),
    count: made(count, code.count),
    move: made(move, code.move),
    numbers: made(numbers, code.numbers),
  };
}
