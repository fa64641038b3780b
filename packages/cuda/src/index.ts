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
