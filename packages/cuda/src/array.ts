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
  /** What stands behind it and all its views. */
  declare readonly memory: CudaMemory;

  /** @internal */
  constructor(memory: CudaMemory, descriptor: ArrayDescriptor, base: CudaArray | null) {
    super(memory, descriptor, base);
  }

  /** Index of the device that the array lies on, or was allocated for. */
  get device(): number {
    return this.memory.device;
  }

  /**
   * The array as CAI v3 has it. `stream` names a stream that waits for all work up to now, also
   * when all has ended. What a consumer puts there comes before our later work and before the
   * memory goes. The stream lives as long as the array. It is null only for `exportStream:
   * 'block'`, which waits here, and `'none'`. Copies nothing. Once the array is disposed, whatever
   * takes the dict throws ERR_DISPOSED. Throws ERR_DISPOSED, ERR_CUDA, ERR_CAPTURE while a stream with
   * work on the array is being captured, and ERR_PENDING while work on it waits for a kernel that is
   * being built.
   */
  get __cuda_array_interface__(): CudaArrayInterface {
    const { descriptor, memory } = this;
    return toCudaArrayInterface(replace(descriptor, { stream: memory.exportStream() }));
  }

  /**
   * `recordUse` of every backend, which also takes what `cuda.stream` takes. Throws ERR_DISPOSED,
   * ERR_CAPTURE, ERR_CUDA, and what `cuda.stream` throws for a handle.
   */
  override recordUse(stream: BackendQueue | bigint | StreamProducer): void {
    internals(this.memory).assertLive('array');
    this.memory.recordUse(stream);
  }

  /** A view of it. */
  protected override over(descriptor: ArrayDescriptor, base: this): this {
    return new CudaArray(this.memory, descriptor, base) as this;
  }
}
