import type { HostArguments, Parameters } from './parameter.js';

/** Code for CUDA: text or a file for the driver's compiler, or machine code. */
export type CudaCode = (
  | { readonly ptx: string | Uint8Array }
  | { readonly cubin: Uint8Array }
  | { readonly fatbin: Uint8Array }
) & {
  /** The name of the function in it. Default: the kernel's name. */
  readonly function?: string;
};

/** Code for SYCL. */
export interface SyclCode {
  /** A module of OpenCL's kind, as llvm-spirv makes it. */
  readonly spirv: Uint8Array;
  /** The name of the function in it. Default: the kernel's name. */
  readonly function?: string;
}

/** Code for the host: one of two kinds. */
export type HostCode<P extends Parameters = Parameters> =
  | {
      /** Does all items of the range. It runs on the calling thread and returns nothing. */
      javascript(parameters: HostArguments<P>, range: readonly number[]): void;
    }
  | {
      /**
       * The address of a C function, `ai_kernel` of `array_interface.h`. It runs on threads of the
       * backend, each with a part of the range. It must stay loaded.
       */
      readonly address: bigint;
    };

/** The code of a kernel by the names of the backends that run it. */
export interface KernelCode<P extends Parameters = Parameters> {
  /** For `@array-interface/cuda`. */
  readonly cuda?: CudaCode;
  /** For `@array-interface/sycl`. */
  readonly sycl?: SyclCode;
  /** For `@array-interface/host`. */
  readonly host?: HostCode<P>;
}

/** A function over arrays that backends run: what it takes, and its code for each of them. */
export interface Kernel<P extends Parameters = Parameters> {
  /** Its name in errors, and in code that names no function. */
  readonly name: string;
  /** What the code takes, in the code's order. */
  readonly parameters: P;
  /** Its code for each backend. */
  readonly code: KernelCode<P>;
  /** Whether arguments may overlap where one is written. Default false. */
  readonly mayOverlap?: boolean;
}
