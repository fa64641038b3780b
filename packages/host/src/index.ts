import { addon } from './addon.js';
import { HostBackend } from './host-backend.js';

export type {
  Held,
  OpenSharedOptions,
  ShareOptions,
  ThreadTicket,
} from '@array-interface/core/backend';
export type {
  AxisExplanation,
  CopyExplanation,
  TileExplanation,
  TileLoop,
} from './copy-explanation.js';
export type { ExplainOptions } from './explain-copy.js';
export { HostArray } from './host-array.js';
export type { HostBackend } from './host-backend.js';
export { HostQueue, type HostQueueOptions } from './host-queue.js';
export type { HostArrayOptions, HostCopyOptions, HostEmptyOptions } from './options.js';
export type { Ticket } from './ticket.js';

/** System memory as a backend. */
export const host: HostBackend = new HostBackend();

/**
 * Allocations of this process's host backend that were not given back, in all its threads. For
 * tests and leak reports. Throws ERR_BACKEND_UNAVAILABLE.
 */
export function liveAllocations(): number {
  return addon().liveAllocations();
}
