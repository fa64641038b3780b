import type { DTypeLike, DTypeName } from '../dtype/dtype.js';
import type { TypedArrays } from '../numbers/typed-array.js';

/** The numbers that code takes by their value. */
export type NumberName = Exclude<DTypeName, 'bool' | 'float16' | 'complex64' | 'complex128'>;

/**
 * An array that the code only reads: its first element's address, and with `strides` as many
 * int64 after it as it has axes, counted in elements. Without `strides` it is C-contiguous.
 */
export interface ReadParameter {
  /** What one element is. */
  readonly read: DTypeLike;
  /** Its number of axes, where the code takes their strides. */
  readonly strides?: number;
}

/** An array that the code writes and may read; else as `ReadParameter`. */
export interface WriteParameter {
  /** What one element is. */
  readonly write: DTypeLike;
  /** Its number of axes, where the code takes their strides. */
  readonly strides?: number;
}

/**
 * Memory that a group of items shares; the argument is its number of elements. SYCL's code takes a
 * pointer. CUDA's takes none: it declares dynamic shared memory.
 */
export interface LocalParameter {
  /** What one element is. */
  readonly local: DTypeLike;
}

/**
 * A uint32 that no argument gives: the first index along an axis of the range. It is more than 0
 * where a range is too long for one launch, and is cut along that axis.
 */
export interface FirstParameter {
  /** The axis of the range. */
  readonly first: number;
}

/** What the code takes at one place. */
export type Parameter =
  | NumberName
  | ReadParameter
  | WriteParameter
  | LocalParameter
  | FirstParameter;

/** What the code takes, by name, in its own order. */
export type Parameters = Readonly<Record<string, Parameter>>;

type ArgumentOf<P, Elements> = P extends 'int64' | 'uint64'
  ? number | bigint
  : P extends ReadParameter | WriteParameter
    ? Elements
    : number;

/** What a launch is given for a kernel's parameters. `Elements` is what a backend takes as an array. */
export type KernelArguments<P extends Parameters, Elements> = {
  readonly [Name in keyof P as P[Name] extends FirstParameter ? never : Name]: ArgumentOf<
    P[Name],
    Elements
  >;
};

type ElementsOf<Like> = Like extends keyof TypedArrays
  ? TypedArrays[Like]
  : TypedArrays[keyof TypedArrays];

/** An array with strides, as a host's function sees it. */
export interface StridedElements<Elements> {
  /** From the lowest element to the highest. */
  readonly elements: Elements;
  /** Where the element with all-zero indices is in `elements`. */
  readonly offset: number;
  /** In elements, one for each axis. */
  readonly strides: readonly number[];
}

type HostArgument<P> = P extends { readonly strides: number } & (
  | { readonly read: infer Like }
  | { readonly write: infer Like }
)
  ? StridedElements<ElementsOf<Like>>
  : P extends
        | { readonly read: infer Like }
        | { readonly write: infer Like }
        | { readonly local: infer Like }
    ? ElementsOf<Like>
    : P extends 'int64' | 'uint64'
      ? bigint
      : number;

/** What a host's function is given: typed arrays in place of arrays, bigints for 64-bit integers. */
export type HostArguments<P extends Parameters> = {
  readonly [Name in keyof P]: HostArgument<P[Name]>;
};
