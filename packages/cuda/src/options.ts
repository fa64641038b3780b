import type { ArrayOptions, EmptyOptions } from '@array-interface/core';
import {
  type Checks,
  checkDeviceIndex,
  checkFlag,
  checkThat,
  type Sync,
} from '@array-interface/core/backend';
import type { MemoryPool } from './memory/pool.js';

/** The properties of a new stream. */
export interface StreamOptions {
  /** Index of its device; default 0. */
  readonly device?: number;
  /** Whether it runs beside the legacy default stream; default true. */
  readonly nonBlocking?: boolean;
  /** Its priority, within the device's range. Lower numbers go first; default 0. */
  readonly priority?: number;
}

/** How `createStream` reads its options. */
export const STREAM_OPTIONS: Checks<StreamOptions> = {
  device: checkDeviceIndex,
  nonBlocking: checkFlag,
  priority: checkThat(
    (value) => Object.is(value, (value as number) | 0),
    'a 32-bit integer, of which lower ones go first',
  ),
};

/** How options are read that name a device and nothing else. */
export const DEVICE_OPTIONS: Checks<Pick<StreamOptions, 'device'>> = { device: checkDeviceIndex };

/** Where new memory is allocated, and of what kind. */
export interface CudaEmptyOptions extends EmptyOptions {
  /**
   * The pool to take device memory from, in the order of `queue` (default: the device's own
   * stream).
   */
  readonly pool?: MemoryPool;
  /**
   * How consumers hear of pending work on the array. `wait` (default) names a stream that waits for
   * it. `block` waits on the calling thread and names none. `none` leaves it to them.
   */
  readonly exportStream?: Sync;
}

/** Where a copy into new memory goes, and what ends the wait for it. */
export interface CudaArrayOptions extends CudaEmptyOptions, ArrayOptions {}
