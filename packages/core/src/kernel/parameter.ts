import type { Descr, DTypeLike, DTypeName } from '../dtype/dtype.js';
import type { TypedArrays } from '../numbers/typed-array.js';
import type { StructValue } from './struct-value.js';

/** The numbers that code takes by value. A bool is a byte, 0 or 1. */
export type NumberName = Exclude<DTypeName, 'complex64' | 'complex128'>;

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
  /**
   * The alignment in bytes that the code needs: 16 if it takes float32 as `float4`. Default: that
   * of one element in C.
   */
  readonly align?: number;
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
  /**
   * The alignment in bytes that the code needs: 16 if it takes float32 as `float4`. Default: that
   * of one element in C.
   */
  readonly align?: number;
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

/** A uint32 or another integer without an argument: the number of elements of an array. */
export interface SizeParameter {
  /** The name of the array's parameter. */
  readonly size: string;
  /** The axis whose length it is. Default: the number of all elements. */
  readonly axis?: number;
  /** The type that the code takes. Default: uint32. */
  readonly type?: 'int32' | 'uint32' | 'int64' | 'uint64';
}

/**
 * A struct by value. Its fields are those of a record of numbers in native byte order, sub-arrays
 * and records, with C's padding, as NumPy's `np.dtype(…, align=True).descr` lists them. The
 * argument is an object of the fields. CUDA and SYCL take it as the code's own struct.
 */
export interface StructParameter {
  /** The fields. */
  readonly struct: DTypeLike;
}

/** One parameter of the code. */
export type Parameter =
  | NumberName
  | ReadParameter
  | WriteParameter
  | LocalParameter
  | FirstParameter
  | SizeParameter
  | StructParameter;

/** The parameters of the code, by name, in its order. */
export type Parameters = Readonly<Record<string, Parameter>>;

type ArgumentOf<P, Elements> = P extends 'int64' | 'uint64'
  ? number | bigint
  : P extends 'bool'
    ? boolean
    : P extends { readonly struct: infer Fields }
      ? StructArgument<Fields>
      : P extends ReadParameter | WriteParameter
        ? Elements
        : number;

/** An object of a struct's fields, typed if the definition lists them. */
type StructArgument<Fields, Wide = number | bigint> = Fields extends Descr
  ? StructValue<Fields, Wide>
  : object;

/**
 * The arguments of a launch for a kernel's parameters. `Elements` is what a backend accepts as an
 * array.
 */
export type KernelArguments<P extends Parameters, Elements> = {
  readonly [Name in keyof P as P[Name] extends FirstParameter | SizeParameter
    ? never
    : Name]: ArgumentOf<P[Name], Elements>;
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
    : P extends { readonly struct: infer Fields }
      ? StructArgument<Fields, bigint>
      : P extends 'int64' | 'uint64' | { readonly type: 'int64' | 'uint64' }
        ? bigint
        : P extends 'bool'
          ? boolean
          : number;

/**
 * The arguments of a host kernel: typed arrays for arrays, bigints for 64-bit integers, new objects
 * for structs.
 */
export type HostArguments<P extends Parameters> = {
  readonly [Name in keyof P]: HostArgument<P[Name]>;
};
