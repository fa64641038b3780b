import { ArrayInterfaceError } from '@array-interface/core';
import { type Checks, checkByteCount, checkDeviceIndex } from '@array-interface/core/backend';
import { addon, type NativeBlock, type PoolHandle } from '../addon.js';
import type { Stream } from '../work/stream.js';

/** Options of a new pool. */
export interface PoolOptions {
  /** Index of the device. Default: 0. */
  readonly device?: number;
  /** Bytes of unused memory that the pool keeps. Default: 0. */
  readonly releaseThreshold?: number;
  /**
   * Maximum bytes that the pool ever reserves. Default: all of the device's memory. Drivers before
   * 12.2 ignore it.
   */
  readonly maximum?: number;
}

/** Checks of `createPool`'s options. */
export const POOL_OPTIONS: Checks<PoolOptions> = {
  device: checkDeviceIndex,
  releaseThreshold: checkByteCount,
  maximum: checkByteCount,
};

/**
 * A stream-ordered memory pool. `cuda.empty(shape, dtype, { pool, queue })` allocates from it in
 * stream order, and disposing the array frees the memory in stream order. Neither waits for the
 * device.
 *
 * @example
 * ```ts
 * import { cuda } from '@array-interface/cuda';
 *
 * using pool = cuda.createPool({ releaseThreshold: 64 * 1024 ** 2 });
 * using stream = cuda.createStream();
 * using array = cuda.empty([1024], 'float32', { pool, queue: stream });
 * console.log(pool.bytes.used >= array.nbytes); // true
 * ```
 */
export class MemoryPool implements Disposable {
  /** Index of the pool's device. */
  readonly device: number;
  #native: PoolHandle | null;

  /** True for a real pool, not a proxy of one. @internal */
  static is(value: unknown): value is MemoryPool {
    return typeof value === 'object' && value !== null && #native in value;
  }

  /** @internal Made by `cuda.createPool()` and `cuda.defaultPool()`. */
  constructor(device: number, native: PoolHandle) {
    this.device = device;
    this.#native = native;
  }

  /**
   * Bytes that arrays use (`used`), and bytes that the pool holds in total (`reserved`). Throws
   * ERR_DISPOSED, ERR_CUDA.
   */
  get bytes(): { readonly used: number; readonly reserved: number } {
    return addon().poolBytes(this.#live());
  }

  /**
   * Returns unused memory to the device, except for `kept` bytes. Throws ERR_DISPOSED, ERR_CUDA.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using pool = cuda.createPool({ releaseThreshold: 64 * 1024 ** 2 });
   * pool.trim(); // keeps nothing that no array uses
   * ```
   */
  trim(kept = 0): void {
    addon().trimPool(this.#live(), kept);
  }

  /** @internal */
  allocate(stream: Stream, byteLength: number, timeout: number): NativeBlock {
    return addon().allocateFrom(this.#live(), stream.native, byteLength, timeout);
  }

  /**
   * Destroys a pool made by `createPool`. Its arrays stay valid, and its memory is freed with the
   * last of them.
   */
  dispose(): void {
    if (this.#native !== null) addon().destroyPool(this.#native);
    this.#native = null;
  }

  /** Does what `dispose` does, at the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #live(): PoolHandle {
    if (this.#native !== null) return this.#native;
    throw new ArrayInterfaceError(
      'ERR_DISPOSED',
      'pool',
      'expected a live pool, got one that was disposed; create another with cuda.createPool()',
    );
  }
}
