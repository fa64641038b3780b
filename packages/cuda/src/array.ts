import {
  type ArrayDescriptor,
  type CudaArrayInterface,
  toCudaArrayInterface,
} from '@array-interface/core';
import { BackendArray } from '@array-interface/core/backend';
import type { CudaMemory } from './memory.js';
import type { Stream } from './stream.js';
import type { StreamProducer } from './stream-handle.js';

/** An array in memory that the CUDA driver knows. */
export class CudaArray extends BackendArray {
  declare readonly memory: CudaMemory;

  /** @internal */
  constructor(memory: CudaMemory, descriptor: ArrayDescriptor) {
    super(memory, descriptor);
  }

  /** Index of the device that the array lies on or was allocated for. */
  get device(): number {
    return this.memory.device;
  }

  /**
   * The array as CAI v3 has it. `stream` names a stream on which all pending work is waited for, and
   * is null when there is none; it lives as long as the array. Copies nothing and does not wait,
   * unless the array was made with `exportStream: 'block'`. Throws ERR_DISPOSED, ERR_CAPTURE while
   * a stream with work on the array is being captured, and ERR_CUDA when work on the array failed.
   */
  get __cuda_array_interface__(): CudaArrayInterface {
    const { descriptor, memory } = this;
    return toCudaArrayInterface(descriptor.with({ stream: memory.exportStream() }));
  }

  /**
   * Says that other code has given `stream` work on this array, as if we had: what comes later is
   * ordered after all that the stream has now, and the memory lives until that has ended. Does not
   * wait. Throws ERR_DISPOSED, ERR_CAPTURE, ERR_CUDA, and what `cuda.stream` does for a handle.
   */
  recordUse(stream: Stream | bigint | StreamProducer): void {
    this.assertLive('array');
    const { backend, device } = this.memory;
    backend.withStream(stream, device, (queue) => {
      queue.assertRuns();
      this.memory.producerQueue?.assertRuns();
      this.memory.after(queue);
    });
  }

  /**
   * Ends this array in the order of a stream: the memory, with the last array on it, is given back
   * after all that the stream has now. Does not wait. Throws as `recordUse` does.
   */
  release(stream: Stream | bigint | StreamProducer): void {
    this.recordUse(stream);
    this[Symbol.dispose]();
  }

  protected override over(descriptor: ArrayDescriptor): this {
    return new CudaArray(this.memory, descriptor) as this;
  }
}
