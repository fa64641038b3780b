import type { ByteStrides } from '../../descriptor/strides.js';
import type { DTypeLike } from '../../dtype/dtype.js';
import type { Casting } from '../../numbers/casting.js';
import type { MemoryKind } from './device.js';
import type { BackendQueue, WaitOptions } from './queue.js';

/** Where new memory is allocated, and of what kind. */
export interface EmptyOptions {
  /** The queue for work on the array that names none. */
  readonly queue?: BackendQueue;
  /** Index of the device; default that of the queue, or 0. */
  readonly device?: number;
  /** Bytes from one element to the next on each axis, none negative. Default: C-contiguous. */
  readonly byteStrides?: ByteStrides;
  /** Default: `device` where the backend has it. */
  readonly memoryKind?: MemoryKind;
}

/** How work is ordered after a producer's. */
export type Sync = NonNullable<BorrowOptions['sync']>;

/** How another library's array is borrowed: its order, its bounds, its flag. */
export interface BorrowOptions {
  /**
   * How our work is ordered after the producer's. `wait`: our queue waits for it. `block`: the
   * calling thread waits. `none`: nothing waits. Default: `wait`, or `none` with
   * `ARRAY_INTERFACE_SYNC=0` in the environment.
   */
  readonly sync?: 'wait' | 'block' | 'none';
  /** `trust` turns off the check against the real allocation. */
  readonly bounds?: 'check' | 'trust';
  /**
   * Overrides the producer's flag. `dpctl.memory` objects say that they are read-only, and are not.
   */
  readonly readOnly?: boolean;
}

/** How far a copy has come. */
export interface CopyProgress {
  /** Bytes of the destination written so far; it never falls. */
  readonly bytes: number;
  /** Bytes of the destination's elements. */
  readonly total: number;
}

/** How a copy casts, on which queue it runs, who hears of its progress, and what aborts it. */
export interface CopyOptions extends WaitOptions {
  /**
   * The queue for the work. Default: the destination's home queue, the source's, the backend's own.
   */
  readonly queue?: BackendQueue;
  /** Which conversions are allowed; default `same_kind`. */
  readonly casting?: Casting;
  /**
   * Called as parts of a copy between backends or into JavaScript memory are written, and once when
   * any other copy is enqueued. The last call has all bytes. An error that it throws ends the copy.
   */
  readonly onProgress?: (progress: CopyProgress) => void;
  /**
   * Bytes of one chunk of a copy between backends. Default: 2 MiB, of which up to eight are staged
   * at once, or 64 MiB where nothing is staged. Sides that overlap go as one chunk.
   */
  readonly chunkBytes?: number;
}

/** Options of new memory, and of the copy into it. */
export interface ArrayOptions extends EmptyOptions, CopyOptions {
  /** Default: the source's dtype. */
  readonly dtype?: DTypeLike;
  /**
   * Another shape for the source's elements in C order; one length may be -1. Default: the
   * source's.
   */
  readonly shape?: readonly number[];
  /** Default `same_kind`: a float becomes an integer only with `unsafe`. */
  readonly casting?: Casting;
}

/** Which items a launch does, and on which queue. */
export interface LaunchOptions extends WaitOptions {
  /**
   * Items along 1 to 3 axes; the last axis is the fastest. Items come in whole groups, so there may
   * be more: the code checks its indices.
   */
  readonly range: readonly number[];
  /**
   * Items of a group along each axis, which share local memory. Default: the backend chooses; a kernel
   * with local memory needs one. ERR_ARGUMENT for more than the device has for the kernel.
   */
  readonly group?: readonly number[];
  /** Default: the home queue of the first array that is written, or of the first; the backend's own. */
  readonly queue?: BackendQueue;
}
