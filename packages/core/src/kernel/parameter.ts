import type { DTypeLike, DTypeName } from '../dtype/dtype.js';
import type { TypedArrays } from '../numbers/typed-array.js';

/** The numbers that code takes by value. */
export type NumberName = Exclude<DTypeName, 'bool' | 'float16' | 'complex64' | 'complex128'>;

/**
 * An array that the code only reads. The code takes its first element's address. With `strides`,
 * that many int64 follow: the strides of its axes in elements. Without `strides` the array must be
 * C-contiguous.
 */
export interface ReadParameter {
  /** The dtype of the elements. */
  readonly read: DTypeLike;
  /** Number of axes, if the code takes their strides. */
  readonly strides?: number;
}

/**
 * An array that the code writes and may read. The code takes the same values as for a
 * `ReadParameter`.
 */
export interface WriteParameter {
  /** The dtype of the elements. */
  readonly write: DTypeLike;
  /** Number of axes, if the code takes their strides. */
  readonly strides?: number;
}

/**
 * Memory that a group of items shares. The argument is its number of elements. SYCL's code takes a
 * pointer. CUDA's takes none: it declares dynamic shared memory.
 */
export interface LocalParameter {
  /** The dtype of the elements. */
  readonly local: DTypeLike;
}

/**
 * A uint32 without an argument: the first index along an axis of the range. It is greater than 0 if
 * a range is too long for one launch and is split along that axis.
 */
export interface FirstParameter {
  /** The axis of the range. */
  readonly first: number;
}

/** One parameter of the code. */
export type Parameter =
  | NumberName
  | ReadParameter
  | WriteParameter
  | LocalParameter
  | FirstParameter;

/** The parameters of the code, by name, in its order. */
export type Parameters = Readonly<Record<string, Parameter>>;

type ArgumentOf<P, Elements> = P extends 'int64' | 'uint64'
  ? number | bigint
  : P extends ReadParameter | WriteParameter
    ? Elements
    : number;

/**
 * The arguments of a launch for a kernel's parameters. `Elements` is what a backend accepts as an
 * array.
 */
export type KernelArguments<P extends Parameters, Elements> = {
  readonly [Name in keyof P as P[Name] extends FirstParameter ? never : Name]: ArgumentOf<
    P[Name],
    Elements
  >;
};

type ElementsOf<Like> = Like extends keyof TypedArrays
  ? TypedArrays[Like]
  : TypedArrays[keyof TypedArrays];

/** An array with strides, as a host kernel receives it. */
export interface StridedElements<Elements> {
  /** All elements from the lowest address to the highest. */
  readonly elements: Elements;
  /** Index in `elements` of the element with all-zero indices. */
  readonly offset: number;
  /** Strides in elements, one for each axis. */
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

/** The arguments of a host kernel: typed arrays for arrays, bigints for 64-bit integers. */
export type HostArguments<P extends Parameters> = {
  readonly [Name in keyof P]: HostArgument<P[Name]>;
};
