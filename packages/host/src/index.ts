import { addon } from './addon/addon.js';
import { HostBackend } from './backend.js';

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
} from './addon/copy-explanation.js';
export type { HostBackend } from './backend.js';
export { HostArray } from './memory/array.js';
export type { HostArrayOptions, HostCopyOptions, HostEmptyOptions } from './options.js';
export { HostQueue, type HostQueueOptions } from './order/queue.js';
export type { Ticket } from './share/ticket.js';
export type { ExplainOptions } from './work/explain-copy.js';

/** System memory as a backend. */
export const host: HostBackend = new HostBackend();

/**
 * Allocations of this process's host backend that were not given back, in all its threads. For
 * tests and leak reports. Throws ERR_BACKEND_UNAVAILABLE.
 */
export function liveAllocations(): number {
  return addon().liveAllocations();
}
