import type { ArrayDescriptor } from '../descriptor/descriptor.js';

/** The interfaces: CUDA's, SYCL USM's, and NumPy's for host memory. */
export type Protocol = 'cuda' | 'sycl' | 'host';

/**
 * The interface of a backend that core does not know. `protocols` has the same parts of each
 * interface that it knows.
 */
export interface OwnProtocol {
  /** The attribute under which a producer exposes its dict. */
  readonly attribute: string;
  /** Describes what a dict claims, with the producer as owner. Copies nothing. */
  read(dict: unknown, options: { readonly owner: unknown }): ArrayDescriptor;
  /** Writes a dict. Copies nothing. */
  write(array: ArrayDescriptor): object;
}

/** The interface of a backend's arrays: a known one, its own, or none. */
export type BackendProtocol = Protocol | OwnProtocol | null;

/**
 * A dict of one of the interfaces, as producers write it. Integers may be numbers or bigints. The
 * interface's reader checks which keys are present, and the value of each.
 */
export interface InterfaceDict {
  /** Version of the interface. */
  readonly version: number | bigint;
  /** Lengths of the axes. */
  readonly shape: readonly (number | bigint)[];
  /** The dtype of the elements, as a typestr: `<f4`. */
  readonly typestr: string;
  /** `[pointer, readOnly]`; for the host interface also JavaScript memory. */
  readonly data: readonly unknown[] | ArrayBufferLike | ArrayBufferView;
  /** Strides in bytes, or in elements for SYCL. Null or absent: C order. */
  readonly strides?: readonly (number | bigint)[] | null;
  /** Fields of a record; not for SYCL. */
  readonly descr?: unknown;
  /** An object that exposes the same interface; not for SYCL. */
  readonly mask?: object | null;
  /** For CUDA: the stream on which work on the memory may be pending. */
  readonly stream?: number | bigint | null;
  /** For SYCL: elements from `data` to the first one. For the host: bytes into a buffer. */
  readonly offset?: number | bigint;
  /** For SYCL: a queue, a context, a capsule of one, or a filter selector. */
  readonly syclobj?: unknown;
}

export { ATTRIBUTES } from '../input/attributes.js';
