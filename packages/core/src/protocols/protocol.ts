/** The interfaces: CUDA's, SYCL USM's, and NumPy's for memory of the host. */
export type Protocol = 'cuda' | 'sycl' | 'host';

/**
 * A dict of one of the interfaces, as producers write it. Integers may be numbers or bigints. The reader of
 * the interface checks which keys there are, and what each says.
 */
export interface InterfaceDict {
  /** Version of the interface. */
  readonly version: number | bigint;
  /** Lengths of the axes. */
  readonly shape: readonly (number | bigint)[];
  /** What one element is: `<f4`. */
  readonly typestr: string;
  /** `[pointer, readOnly]`; JavaScript memory too, for the interface of the host. */
  readonly data: readonly unknown[] | ArrayBufferLike | ArrayBufferView;
  /** In bytes, or in elements for SYCL; null or absent means C order. */
  readonly strides?: readonly (number | bigint)[] | null;
  /** Fields of a record; not for SYCL. */
  readonly descr?: unknown;
  /** An object that exposes the same interface; not for SYCL. */
  readonly mask?: object | null;
  /** For CUDA: where work on the memory may be pending. */
  readonly stream?: number | bigint | null;
  /** Elements from `data` for SYCL; bytes of a buffer for the host. */
  readonly offset?: number | bigint;
  /** For SYCL: a queue, a context, a capsule of one, or a filter selector. */
  readonly syclobj?: unknown;
}

/** The attribute under which a producer exposes each interface. */
export const ATTRIBUTES: Readonly<Record<Protocol, string>> = {
  cuda: '__cuda_array_interface__',
  sycl: '__sycl_usm_array_interface__',
  host: '__array_interface__',
};
