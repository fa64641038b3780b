import type { ByteStrides } from '../descriptor/strides.js';
import type { DTypeLike } from '../dtype/dtype.js';
import type { MemoryKind } from './device.js';
import type { BackendQueue, WaitOptions } from './queue.js';

/** Where new memory is allocated, and of what kind. */
export interface EmptyOptions {
  /** Where work on the array goes unless a queue is named. */
  readonly queue?: BackendQueue;
  readonly device?: number;
  /** Bytes from one element to the next per axis, none negative; C-contiguous if absent. */
  readonly byteStrides?: ByteStrides;
  /** Default `device` where the backend has it. */
  readonly memoryKind?: MemoryKind;
}

/** How work is ordered after a producer's. */
export type Sync = NonNullable<BorrowOptions['sync']>;

/** How an array of others is borrowed: its order, its bounds, its flag. */
export interface BorrowOptions {
  /**
   * How work is ordered after the producer's: our queue waits for it, we wait for it, or nobody does. Default
   * `wait`, or `none` where the environment says `ARRAY_INTERFACE_SYNC=0`.
   */
  readonly sync?: 'wait' | 'block' | 'none';
  /** `trust` leaves out the check against the real allocation. */
  readonly bounds?: 'check' | 'trust';
  /** Overrides the producer's flag: `dpctl.memory` objects say read-only though they are not. */
  readonly readOnly?: boolean;
}

/** NumPy's rules of what may become what, by its names; default `same_kind`. */
export type Casting = 'no' | 'equiv' | 'safe' | 'same_kind' | 'unsafe';

/** How far a copy has come. */
export interface CopyProgress {
  /** Bytes of the destination that were written; never less than the last time. */
  readonly bytes: number;
  /** Bytes of the destination's elements. */
  readonly total: number;
}

/** How a copy casts, on which queue it runs, who hears of it, and what ends it or the wait for it. */
export interface CopyOptions extends WaitOptions {
  /** Where the work goes; default: the destination's home queue, the source's, the backend's own. */
  readonly queue?: BackendQueue;
  readonly casting?: Casting;
  /**
   * Called as parts of a copy between backends or into JavaScript memory have been written, and once
   * when any other copy is enqueued; the last call has all bytes. What it throws ends the copy.
   */
  readonly onProgress?: (progress: CopyProgress) => void;
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
  /** The source's elements in C order in another shape; one length may be -1. Default: the source's. */
  readonly shape?: readonly number[];
  /** Default `same_kind`: a float does not become an integer unless `unsafe` says so. */
  readonly casting?: Casting;
}
