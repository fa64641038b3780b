import type { HostArguments, Parameters } from './parameter.js';

/** Code for CUDA: text or a file for the driver's compiler, or machine code. */
export type CudaCode = (
  | { readonly ptx: string | Uint8Array }
  | { readonly cubin: Uint8Array }
  | { readonly fatbin: Uint8Array }
) & {
  /** The name of the function in the code. Default: the kernel's name. */
  readonly function?: string;
};

/** Code for SYCL. */
export interface SyclCode {
  /** An OpenCL SPIR-V module, as llvm-spirv makes it. */
  readonly spirv: Uint8Array;
  /** The name of the function in the code. Default: the kernel's name. */
  readonly function?: string;
}

/** Code for the host, of one of three kinds. */
export type HostCode<P extends Parameters = Parameters> =
  | {
      /** Processes all items of the range. Runs on the calling thread and returns nothing. */
      javascript(parameters: HostArguments<P>, range: readonly number[]): void;
    }
  | {
      /**
       * The address of a C function, `ai_kernel` of `array_interface.h`. It runs on threads of the
       * backend, each with a part of the range. It must stay loaded.
       */
      readonly address: bigint;
    }
  | {
      /**
       * A program of elementwise arithmetic over a range of one axis, as
       * `@array-interface/expressions` makes it. It is checked before it runs, and reads and writes
       * nothing but its arrays. It is done when the launch returns, on the queue's threads.
       */
      readonly program: Uint8Array;
    };

/**
 * The code of a kernel, by the names of the backends that run it. Another backend than these reads
 * code of its own kind, under its own name.
 */
export interface KernelCode<P extends Parameters = Parameters> {
  /** For `@array-interface/cuda`. */
  readonly cuda?: CudaCode;
  /** For `@array-interface/sycl`. */
  readonly sycl?: SyclCode;
  /** For `@array-interface/host`. */
  readonly host?: HostCode<P>;
  /** For any other backend. */
  readonly [backend: string]: object | undefined;
}

/** A function over arrays that backends run: its parameters, and its code for each backend. */
export interface Kernel<P extends Parameters = Parameters> {
  /** Name of the kernel in errors, and in code that names no function. */
  readonly name: string;
  /** The parameters of the code, in its order. */
  readonly parameters: P;
  /** Code for each backend. */
  readonly code: KernelCode<P>;
  /** Whether arguments may overlap if one is written. Default: false. */
  readonly mayOverlap?: boolean;
  /**
   * The items of a group along each axis that the code requires, as OpenCL's
   * `reqd_work_group_size` and PTX's `.reqntid` do; the last axis is the fastest. A launch without
   * a group gets this one, and any other is refused.
   */
  readonly group?: readonly number[];
}
