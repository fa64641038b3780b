import {
  type ArrayDescriptor,
  type CudaArrayInterface,
  toCudaArrayInterface,
} from '@array-interface/core';
import { BackendArray, internals, replace } from '@array-interface/core/backend';
import type { CudaMemory } from './memory.js';
import type { Stream } from './stream.js';
import type { StreamProducer } from './stream-handle.js';

/** An array in memory that the CUDA driver knows. */
export class CudaArray extends BackendArray {
  declare readonly memory: CudaMemory;

  /** @internal */
  constructor(memory: CudaMemory, descriptor: ArrayDescriptor, base: CudaArray | null) {
    super(memory, descriptor, base);
  }

  /** Index of the device that the array lies on or was allocated for. */
  get device(): number {
    return this.memory.device;
  }

  /**
   * The array as CAI v3 has it. `stream` names a stream on which all work up to now is waited for, also
   * when all has ended: what a consumer puts there comes before our later work and before the memory goes.
   * It lives as long as the array. Null only for `exportStream: 'block'`, which waits here, and `'none'`.
   * Copies nothing. Throws ERR_DISPOSED, ERR_CAPTURE while a stream with work on the array is being
   * captured, and ERR_CUDA.
   */
  get __cuda_array_interface__(): CudaArrayInterface {
    const { descriptor, memory } = this;
    return toCudaArrayInterface(replace(descriptor, { stream: memory.exportStream() }));
  }

  /**
   * Says that other code has given `stream` work on this array, as if we had: what comes later is
   * ordered after all that the stream has now, and the memory lives until that has ended. Does not
   * wait. Throws ERR_DISPOSED, ERR_CAPTURE, ERR_CUDA, and what `cuda.stream` does for a handle.
   */
  recordUse(stream: Stream | bigint | StreamProducer): void {
    internals(this.memory).assertLive('array');
    this.memory.recordUse(stream);
  }

  protected override over(descriptor: ArrayDescriptor, base: this): this {
    return new CudaArray(this.memory, descriptor, base) as this;
  }
}
