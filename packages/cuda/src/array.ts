import {
  type ArrayDescriptor,
  type CudaArrayInterface,
  toCudaArrayInterface,
} from '@array-interface/core';
import { BackendArray } from '@array-interface/core/backend';
import type { CudaMemory } from './memory.js';
import { ownStream } from './stream.js';

/** An array in memory that the CUDA driver knows. */
export class CudaArray extends BackendArray {
  declare readonly memory: CudaMemory;

  /** @internal */
  constructor(memory: CudaMemory, descriptor: ArrayDescriptor) {
    super(memory, descriptor);
  }

  /**
   * The array as CAI v3 has it. `stream` names a stream on which all pending work is waited for, and
   * is null when there is none; it lives as long as the array. Copies nothing and does not wait.
   * Throws ERR_DISPOSED, and ERR_CUDA when work on the array failed.
   */
  get __cuda_array_interface__(): CudaArrayInterface {
    const { descriptor, memory } = this;
    const queue = memory.exportQueue();
    const stream = queue === null ? null : ownStream(queue).handle;
    return toCudaArrayInterface(descriptor.with({ stream }));
  }

  protected override over(descriptor: ArrayDescriptor): this {
    return new CudaArray(this.memory, descriptor) as this;
  }
}
