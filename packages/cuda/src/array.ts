import {
  type ArrayDescriptor,
  type CudaArrayInterface,
  toCudaArrayInterface,
} from '@array-interface/core';
import { BackendArray, type BackendQueue, internals, replace } from '@array-interface/core/backend';
import type { CudaMemory } from './memory/memory.js';
import type { StreamProducer } from './work/stream-handle.js';

/** An array in memory that the CUDA driver knows. */
export class CudaArray extends BackendArray {
  /** The memory that this array and all its views share. */
  declare readonly memory: CudaMemory;

  /** @internal */
  constructor(memory: CudaMemory, descriptor: ArrayDescriptor, base: CudaArray | null) {
    super(memory, descriptor, base);
  }

  /** Index of the device that holds the array, or that it was allocated for. */
  get device(): number {
    return this.memory.device;
  }

  /**
   * The array as a CUDA Array Interface version 3 dict. Copies nothing.
   *
   * `stream` names a stream that waits for all work so far, even if all of it has ended. This
   * library's later work, and freeing the memory, are ordered after what a consumer enqueues there.
   * The stream lives as long as the array. `stream` is null only with `exportStream: 'block'`,
   * which blocks the calling thread here until all work has ended, and with `'none'`.
   *
   * After the array is disposed, whatever consumes the dict throws ERR_DISPOSED. Throws
   * ERR_DISPOSED and ERR_CUDA. Throws ERR_CAPTURE while a stream with work on the array is being
   * captured, and ERR_PENDING while work on it waits for a kernel that is being built.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using array = cuda.empty([2, 3], 'float32');
   * const { shape, typestr, data, stream } = array.__cuda_array_interface__;
   * ```
   */
  get __cuda_array_interface__(): CudaArrayInterface {
    return toCudaArrayInterface(this);
  }

  /** Names the stream. */
  protected override exported(): ArrayDescriptor {
    const { descriptor, memory } = this;
    return replace(descriptor, { stream: memory.exportStream() });
  }

  /**
   * Records that other code enqueued work on this array on `stream`. Later work is ordered after
   * everything the stream has now, and the memory lives until that has ended. Takes a `Stream`, and
   * whatever `cuda.stream` takes: 1n, 2n, a driver handle, or an object with `__cuda_stream__`.
   * Does not block.
   *
   * Throws ERR_DISPOSED, ERR_CAPTURE, ERR_CUDA, and what `cuda.stream` throws for a handle. Throws
   * ERR_TICKET if another process holds the lock of shared memory; the use is recorded even then.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * declare function launch(pointer: bigint, stream: bigint): void; // of your addon
   * using stream = cuda.createStream();
   * using array = cuda.empty([2, 3], 'float32', { queue: stream });
   * launch(array.pointer, stream.handle);
   * array.recordUse(stream);
   * ```
   */
  override recordUse(stream: BackendQueue | bigint | StreamProducer): void {
    internals(this.memory).assertLive('array');
    this.memory.recordUse(stream);
  }

  /** Returns a view of this array. */
  protected override over(descriptor: ArrayDescriptor, base: this): this {
    return new CudaArray(this.memory, descriptor, base) as this;
  }
}
