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
export type { CudaBorrowOptions } from './borrow.js';
export { CudaEvent } from './event.js';
export type { CudaArrayOptions, CudaEmptyOptions, StreamOptions } from './options.js';
export type { CudaMemoryDetail, CudaPointerInfo } from './pointer.js';
export { MemoryPool, type PoolOptions } from './pool.js';
export { type RecordOptions, Stream } from './stream.js';
export type { StreamProducer } from './stream-handle.js';
export type { Ticket } from './ticket.js';

/** CUDA memory as a backend. */
export const cuda: CudaBackend = new CudaBackend();

/**
 * Allocations of this process's CUDA backend that were not given back, in all its threads, with
 * staging. Memory kept for the next arrays counts as given back. For tests and leak reports. Throws
 * ERR_BACKEND_UNAVAILABLE.
 */
export function liveAllocations(): number {
  return addon().liveCounts().allocations;
}
