import { addon } from './addon.js';
import { HostBackend } from './backend.js';

export type {
  Held,
  OpenSharedOptions,
  ShareOptions,
  ThreadTicket,
} from '@array-interface/core/backend';
export type { HostBackend } from './backend.js';
export type {
  AxisExplanation,
  CopyExplanation,
  TileExplanation,
  TileLoop,
} from './copy-explanation.js';
export { HostArray } from './memory/array.js';
export type { HostArrayOptions, HostCopyOptions, HostEmptyOptions } from './options.js';
export { HostQueue, type HostQueueOptions } from './order/queue.js';
export type { Ticket } from './share/ticket.js';
export type { ExplainOptions } from './work/explain-copy.js';

/**
 * The backend of system memory: arrays of its own, typed arrays and other JavaScript buffers, and
 * every object with NumPy's `__array_interface__`. Importing it loads nothing; the first use loads
 * the addon, and throws ERR_BACKEND_UNAVAILABLE on an unsupported platform.
 *
 * @example
 * ```ts
 * import { host } from '@array-interface/host';
 *
 * const pixels = new Float32Array([1, 2, 3, 4, 5, 6]);
 * using row = host.asArray(pixels); // borrowed: no copy
 * using reversed = host.empty([6], 'float32');
 * await host.copy(reversed, row.flip());
 * console.log(await host.toTypedArray(reversed)); // Float32Array(6) [ 6, 5, 4, 3, 2, 1 ]
 * ```
 */
export const host: HostBackend = new HostBackend();

/**
 * Counts the allocations of the host backend that are not freed, in all threads of this process.
 * For tests and leak reports. Throws ERR_BACKEND_UNAVAILABLE.
 *
 * @example
 * ```ts
 * import { host, liveAllocations } from '@array-interface/host';
 *
 * const before = liveAllocations();
 * host.empty([4], 'float32')[Symbol.dispose]();
 * console.log(liveAllocations() - before); // 0
 * ```
 */
export function liveAllocations(): number {
  return addon().liveAllocations();
}
