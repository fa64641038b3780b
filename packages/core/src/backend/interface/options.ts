import type { ByteStrides } from '../../descriptor/strides.js';
import type { DTypeLike } from '../../dtype/dtype.js';
import type { Tolerance } from '../../numbers/all-close.js';
import type { Casting } from '../../numbers/casting.js';
import type { Rounding } from '../../numbers/rounding.js';
import type { MappedArrays } from '../../numbers/typed-array.js';
import type { TextLimits } from '../../text/limits.js';
import type { LayoutOptions } from '../../views/relayout.js';
import type { MemoryKind } from './device.js';
import type { BackendQueue, WaitOptions } from './queue.js';

/** Where new memory is allocated, and of which kind. */
export interface EmptyOptions {
  /** The queue for work on the array that names no queue. */
  readonly queue?: BackendQueue;
  /** Index of the device. Default: that of the queue, or 0. */
  readonly device?: number;
  /** Bytes from one element to the next along each axis, none negative. Default: C-contiguous. */
  readonly byteStrides?: ByteStrides;
  /** Kind of memory. Default: `device` if the backend has it. */
  readonly memoryKind?: MemoryKind;
}

/** How work is ordered after a producer's work. */
export type Sync = NonNullable<BorrowOptions['sync']>;

/**
 * How another library's array is borrowed: in which layout, in which order, with which check of its
 * bounds, and whether it may be written.
 */
export interface BorrowOptions extends LayoutOptions {
  /**
   * How this library's work is ordered after the producer's. `wait`: the queue waits for it.
   * `block`: the calling thread waits. `none`: nothing waits. Default: `wait`, or `none` with
   * `ARRAY_INTERFACE_SYNC=0` in the environment.
   */
  readonly sync?: 'wait' | 'block' | 'none';
  /** `trust` disables the check against the real allocation. Default: `check`. */
  readonly bounds?: 'check' | 'trust';
  /**
   * Overrides the producer's read-only flag. `dpctl.memory` objects report that they are read-only,
   * and are not.
   */
  readonly readOnly?: boolean;
}

/** The progress of a copy. */
export interface CopyProgress {
  /** Bytes of the destination written so far. Never decreases. */
  readonly bytes: number;
  /** Total bytes of the destination's elements. */
  readonly total: number;
}

/** How a copy casts, which queue it runs on, what observes its progress, and what aborts it. */
export interface CopyOptions extends WaitOptions {
  /**
   * The queue for the work. Default: the destination's home queue, else the source's, else the
   * backend's own.
   */
  readonly queue?: BackendQueue;
  /** Which conversions are allowed. Default: `same_kind`. */
  readonly casting?: Casting;
  /**
   * How floats become integers, where `casting` allows that. `nearest`: the nearest integer, and the
   * even one of two that are equally near, as `np.rint` rounds; a complex number rounds its real
   * part. Integers that do not fit and NaN are as without it. No other conversion changes. Default:
   * `truncate`, which cuts the fraction off.
   */
  readonly rounding?: Rounding;
  /**
   * Called as parts of a copy between backends or into JavaScript memory are written, and once when
   * any other copy is enqueued. The last call reports all bytes. An error that it throws ends the
   * copy.
   */
  readonly onProgress?: (progress: CopyProgress) => void;
  /**
   * Bytes of one chunk of a copy between backends. Default: 2 MiB, of which up to eight are staged
   * at once, or 64 MiB if nothing is staged. Sides that overlap are copied as one chunk.
   */
  readonly chunkBytes?: number;
}

/** What is expected of an array whose own memory JavaScript accesses, and what aborts the wait. */
export interface MapOptions extends WaitOptions {
  /**
   * The dtype that the array must have, in native byte order. It names the class of the result.
   * Nothing is converted. Default: any, whose class is known at run time only.
   */
  readonly dtype?: keyof MappedArrays;
}

/** Options of new memory and of the copy into it. */
export interface ArrayOptions extends EmptyOptions, CopyOptions {
  /** Dtype of the new array. Default: the source's dtype. */
  readonly dtype?: DTypeLike;
  /**
   * Another shape for the source's elements in C order. One length may be -1. Default: the source's
   * shape.
   */
  readonly shape?: readonly number[];
  /**
   * Which conversions are allowed. Default: `same_kind`, which does not convert floats to integers;
   * `unsafe` does.
   */
  readonly casting?: Casting;
}

/** How elements are copied into JavaScript memory. */
export interface ReadOptions extends CopyOptions {
  /** Another dtype of the copy. Default: that of the elements. */
  readonly dtype?: DTypeLike;
}

/** How much a text shows, and what ends the wait for the elements. */
export interface TextOptions extends WaitOptions, Partial<TextLimits> {}

/** How far numbers may be apart, and what ends the wait for them. */
export interface AllCloseOptions extends WaitOptions, Partial<Tolerance> {}

/** Which items a launch covers, and on which queue it runs. */
export interface LaunchOptions extends WaitOptions {
  /**
   * Number of items along 1 to 3 axes; the last axis is the fastest. Items come in whole groups, so
   * there may be more than these. The code checks its indices.
   */
  readonly range: readonly number[];
  /**
   * Number of items of a group along each axis; the items of a group share local memory. Default:
   * the backend chooses. Required for a kernel with local memory. ERR_ARGUMENT if the device
   * supports fewer for the kernel.
   */
  readonly group?: readonly number[];
  /**
   * The queue for the launch. Default: the home queue of the first array that is written, else of
   * the first array, else the backend's own queue.
   */
  readonly queue?: BackendQueue;
}
