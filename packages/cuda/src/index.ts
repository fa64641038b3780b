import { addon } from './addon.js';
import { CudaBackend } from './backend.js';

export { CudaArray } from './array.js';
export type { CudaBackend, StreamOptions } from './backend.js';
export type { CudaBorrowOptions } from './borrow.js';
export { CudaEvent } from './event.js';
export { Stream } from './stream.js';

/** CUDA memory as a backend. */
export const cuda: CudaBackend = new CudaBackend();

/**
 * Allocations of this process's CUDA backend, worker threads and staging included, that were not
 * given back: for tests and leak reports. Throws ERR_BACKEND_UNAVAILABLE.
 */
export function liveAllocations(): number {
  return addon().liveCounts().allocations;
}
