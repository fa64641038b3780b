import { addon } from './addon.js';
import { CudaBackend } from './backend.js';

export type {
  Held,
  OpenSharedOptions,
  ShareOptions,
  ThreadTicket,
} from '@array-interface/core/backend';
export { CudaArray } from './array.js';
export type { CudaBackend } from './backend.js';
export type { CudaBorrowOptions } from './memory/borrow.js';
export type { CudaArrayOptions, CudaEmptyOptions } from './memory/options.js';
export type { CudaMemoryDetail, CudaPointerInfo } from './memory/pointer.js';
export { MemoryPool, type PoolOptions } from './memory/pool.js';
export type { StreamOptions } from './options.js';
export type { Ticket } from './share/ticket.js';
export { CudaEvent } from './work/event.js';
export { type RecordOptions, Stream } from './work/stream.js';
export type { StreamProducer } from './work/stream-handle.js';

/**
 * The CUDA backend. It loads the NVIDIA driver at first use, not at import.
 *
 * @example
 * ```ts
 * import { cuda } from '@array-interface/cuda';
 *
 * using a = await cuda.array([[1, 2], [3, 4]], { dtype: 'float32' });
 * using b = cuda.empty([2, 2], 'float32');
 * await cuda.copy(b, a.transpose());
 * console.log(await cuda.toTypedArray(b)); // Float32Array(4) [ 1, 3, 2, 4 ]
 * ```
 */
export const cuda: CudaBackend = new CudaBackend();

/**
 * Returns the number of live allocations that this process's CUDA backend made, in all threads.
 * Staging memory is included. Cached memory, which is kept for the next arrays, is not. Intended
 * for tests and leak reports. Throws ERR_BACKEND_UNAVAILABLE.
 *
 * @example
 * ```ts
 * import { cuda, liveAllocations } from '@array-interface/cuda';
 *
 * const before = liveAllocations();
 * {
 *   using array = cuda.empty([1024], 'float32');
 *   await array.synchronize();
 * }
 * const left = liveAllocations() - before; // 0 once the memory has been freed in the background
 * ```
 */
export function liveAllocations(): number {
  return addon().liveCounts().allocations;
}
