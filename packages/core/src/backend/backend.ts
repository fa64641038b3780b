import type { ArrayDescriptor } from '../descriptor.js';
import type { DTypeLike } from '../dtype.js';
import type { ByteStrides, StridesLike } from '../strides.js';
import type { BackendArray } from './array.js';
import type { Allocation } from './memory.js';
import type { Queue, WaitOptions } from './queue.js';

/** Which interface a backend's arrays expose. */
export type Protocol = 'cuda' | 'sycl' | 'host';

/** Whether a backend can be used here, and what to do if not. */
export type Availability =
  | {
      readonly available: true;
      /** The driver or runtime: its real path, or `built in`. */
      readonly library: string;
      readonly version: string;
    }
  | {
      readonly available: false;
      readonly reason: string;
      /** Every place looked at, with what happened there. */
      readonly tried: readonly string[];
      /** What to install or set. */
      readonly remedy: string;
    };

/** A device of a backend, as it reports itself. */
export interface Device {
  readonly index: number;
  readonly name: string;
  /** `cpu`, `gpu`, `accelerator`. */
  readonly type: string;
  readonly driverVersion: string;
  /** Bytes of its memory. */
  readonly memory: number;
}

/** `shared`: CUDA managed, SYCL shared. `host`: CUDA pinned or registered, SYCL host. */
export type MemoryKind = 'device' | 'shared' | 'host' | 'pageable' | 'unknown';

/** What a backend finds behind a pointer. Memory it does not know is an answer, not an error. */
export interface PointerInfo {
  readonly memoryKind: MemoryKind;
  /** Index among `devices()`, or null. */
  readonly device: number | null;
  /** Null where the backend has no range query and did not allocate it. */
  readonly allocation: Allocation | null;
  readonly hostAccessible: boolean;
}

/** What a queue is made for. */
export interface QueueOptions {
  readonly device?: number;
}

/** Where new memory is allocated, and of what kind. */
export interface EmptyOptions {
  /** Where work on the array goes unless a queue is named. */
  readonly queue?: Queue;
  readonly device?: number;
  /** Bytes from one element to the next per axis, none negative; C-contiguous if absent. */
  readonly byteStrides?: StridesLike<ByteStrides>;
  /** Default `device` where the backend has it. */
  readonly memoryKind?: MemoryKind;
}

/** How an import is ordered after the producer: our queue waits; we wait; nobody does. */
export type Sync = 'wait' | 'block' | 'none';

/** How an array of others is borrowed: its order, its bounds, its flag. */
export interface BorrowOptions {
  /** Default `wait`, or `none` when the environment says `ARRAY_INTERFACE_SYNC=0`. */
  readonly sync?: Sync;
  /** `trust` leaves out the check against the real allocation. */
  readonly bounds?: 'check' | 'trust';
  /** Overrides the producer's flag: `dpctl.memory` objects say read-only though they are not. */
  readonly readOnly?: boolean;
}

/** NumPy's rules of what may become what, by its names; default `same_kind`. */
export type Casting = 'no' | 'equiv' | 'safe' | 'same_kind' | 'unsafe';

/** How far a copy has come. */
export interface Progress {
  /** Bytes of the destination that were written; never less than the last time. */
  readonly bytes: number;
  /** Bytes of the destination's elements. */
  readonly total: number;
}

/** How a copy casts, on which queue it runs, who hears of it, and what ends it or the wait for it. */
export interface CopyOptions extends WaitOptions {
  /** Where the work goes; default: the destination's home queue, the source's, the backend's own. */
  readonly queue?: Queue;
  readonly casting?: Casting;
  /**
   * Called as parts of a copy between backends or into JavaScript memory have been written, and once
   * when any other copy is enqueued; the last call has all bytes. What it throws ends the copy.
   */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * Bytes of a copy between backends that go at a time; default 2 MiB, of which up to eight are staged
   * at once, or 64 MiB where nothing is staged. Sides that overlap go as a whole.
   */
  readonly chunkBytes?: number;
}

/** Where a copy into new memory goes, and all that a copy can be told. */
export interface ArrayOptions extends EmptyOptions, CopyOptions {
  /** Default: the source's. */
  readonly dtype?: DTypeLike;
  /** Default `same_kind`: a float does not become an integer unless `unsafe` says so. */
  readonly casting?: Casting;
}

/** JavaScript's arrays of numbers; complex numbers are pairs in them. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** An object that exposes one of the three interfaces. */
export type Producer =
  | { readonly __cuda_array_interface__: object }
  | { readonly __sycl_usm_array_interface__: object }
  | { readonly __array_interface__: object };

/** Whatever can be described: an array, a descriptor, a producer, or JavaScript's own memory. */
export type ArrayLike =
  | BackendArray
  | ArrayDescriptor
  | Producer
  | TypedArray
  | DataView
  | ArrayBuffer;

/** Nested lists of numbers, one level for each axis. */
export type Nested = number | bigint | boolean | readonly Nested[];

/**
 * What every backend can do, so that a library written against core runs on each. An application
 * imports a backend's package and passes the object on; there is no registry.
 */
export interface Backend<A extends BackendArray = BackendArray> {
  /** `cuda`, `sycl`, `host`. */
  readonly name: string;
  readonly protocol: Protocol;
  /** Never throws; loads the driver when asked for the first time, never at import. */
  readonly availability: Availability;
  /** Throws ERR_BACKEND_UNAVAILABLE. */
  devices(): readonly Device[];
  /** Throws ERR_BACKEND_UNAVAILABLE, ERR_POINTER_RANGE; memory it does not know is an answer. */
  inspectPointer(pointer: bigint): PointerInfo;
  /** Throws ERR_BACKEND_UNAVAILABLE, ERR_ARGUMENT for a device that is not there. */
  createQueue(options?: QueueOptions): Queue;
  /** Uninitialised memory. Throws ERR_OUT_OF_MEMORY, ERR_ARGUMENT, ERR_OVERFLOW. */
  empty(shape: readonly number[], dtype: DTypeLike, options?: EmptyOptions): A;
  /**
   * Copies numbers or an array of any backend into new memory; settles as `copy` does. Rejects with
   * what `empty` throws and `copy` rejects with, and with ERR_TYPE for lists of unequal lengths.
   */
  array(source: ArrayLike | Nested, options?: ArrayOptions): Promise<A>;
  /**
   * Borrows a producer's memory: zero-copy, or throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE,
   * ERR_OUT_OF_BOUNDS. Keeps the producer alive until disposed and orders work after its stream.
   */
  asArray(producer: ArrayLike, options?: BorrowOptions): A;
  /**
   * Copies any layout into any other, broadcasting the source; converts numbers and swaps bytes on
   * the way as far as `casting` allows, with NumPy's results; a float that an integer cannot hold
   * becomes the nearest that it can, NaN 0. Between arrays of this backend the work is enqueued when
   * the call returns, and whoever uses the destination next is ordered after it; JavaScript memory
   * is read before the call returns and written before the promise settles. Between two backends the
   * copy has ended on both when the promise settles, in whichever way: leave both sides alone until
   * then. A failure or an abort half way rejects with `bytesWritten` on the error. Rejects, before
   * anything is written, with ERR_ARGUMENT, ERR_SHAPE_MISMATCH, ERR_CASTING,
   * ERR_READ_ONLY, ERR_MASK, ERR_SELF_OVERLAP or ERR_TOO_HARD, ERR_POINTER_UNKNOWN or ERR_DISPOSED.
   */
  copy(destination: ArrayLike, source: ArrayLike, options?: CopyOptions): Promise<void>;
  /** Sets every element; settles and rejects as `copy` does. */
  fill(
    destination: ArrayLike,
    value: number | bigint | boolean,
    options?: CopyOptions,
  ): Promise<void>;
  /**
   * The elements in C order in new JavaScript memory; waits for pending work without a thread.
   * Rejects as `copy` does, and with ERR_DTYPE_UNSUPPORTED where no typed array has the dtype.
   */
  toTypedArray(source: ArrayLike, options?: CopyOptions): Promise<TypedArray>;
  /** Settles when all work on all queues of this backend has ended; holds no thread. */
  synchronize(options?: WaitOptions): Promise<void>;
}
