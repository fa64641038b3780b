import { ArrayInterfaceError } from '@array-interface/core';
import { type Checks, checkByteCount, checkDeviceIndex } from '@array-interface/core/backend';
import { addon, type NativeBlock, type PoolHandle } from '../addon.js';
import type { Stream } from '../work/stream.js';

/** The properties of a new pool. */
export interface PoolOptions {
  /** Index of the device; default 0. */
  readonly device?: number;
  /** Bytes that the pool keeps when nobody uses them; default 0. */
  readonly releaseThreshold?: number;
  /**
   * Most bytes that the pool ever has; default: all of the device's. Drivers before 12.2 ignore it.
   */
  readonly maximum?: number;
}

/** How `createPool` reads its options. */
export const POOL_OPTIONS: Checks<PoolOptions> = {
  device: checkDeviceIndex,
  releaseThreshold: checkByteCount,
  maximum: checkByteCount,
};

/**
 * A stream-ordered pool. `cuda.empty(shape, dtype, { pool, queue })` takes memory from it in the
 * order of the stream, and disposal gives it back in that order. Neither waits for the device.
 */
export class MemoryPool implements Disposable {
  /** Index of its device. */
  readonly device: number;
  #native: PoolHandle | null;

  /** Whether it is a pool, and no proxy of one. @internal */
  static is(value: unknown): value is MemoryPool {
    return typeof value === 'object' && value !== null && #native in value;
  }

  /** @internal `cuda.createPool()` and `cuda.defaultPool()` make them. */
  constructor(device: number, native: PoolHandle) {
    this.device = device;
    this.#native = native;
  }

  /** Bytes that arrays use, and bytes that the pool holds for them and for the next ones. */
  get bytes(): { readonly used: number; readonly reserved: number } {
    return addon().poolBytes(this.#live());
  }

  /** Gives the device all memory that no array uses, but for `kept` bytes. Throws ERR_CUDA. */
  trim(kept = 0): void {
    addon().trimPool(this.#live(), kept);
  }

  /** @internal */
  allocate(stream: Stream, byteLength: number, timeout: number): NativeBlock {
    return addon().allocateFrom(this.#live(), stream.native, byteLength, timeout);
  }

  /** Ends a pool of ours. Its arrays live on, and its memory goes with the last of them. */
  [Symbol.dispose](): void {
    if (this.#native !== null) addon().destroyPool(this.#native);
    this.#native = null;
  }

  #live(): PoolHandle {
    if (this.#native !== null) return this.#native;
    throw new ArrayInterfaceError(
      'ERR_DISPOSED',
      'pool',
      'expected a live pool, got one that was disposed; make another with cuda.createPool()',
    );
  }
}
