import { SyclBackend } from './backend.js';
import { runtime } from './runtime.js';

export type {
  Held,
  OpenSharedOptions,
  ShareOptions,
  ThreadTicket,
} from '@array-interface/core/backend';
export { SyclArray } from './array.js';
export { SyclBackend, type SyclDevice, type SyclPointerInfo } from './backend.js';
export type { Capsule } from './capsule.js';
export { SyclContext } from './context.js';
export { type EventStatus, type EventTimes, SyclEvent } from './event.js';
export {
  type Environment,
  findLibraries,
  libraryUnder,
  openClDriverOf,
  type Surroundings,
} from './find-library.js';
export { kernelFolder } from './kernel-folder.js';
export type { SyclEmptyOptions, SyclQueueOptions } from './options.js';
export { whyNoRuntime } from './platform.js';
export { SyclQueue } from './queue.js';
export { sharedRuntime } from './shared-runtime.js';

/** The SYCL backend of this process. Importing it loads nothing. */
export const sycl: SyclBackend = new SyclBackend();

/**
 * Blocks of USM memory that this process allocated and has not given back. For tests and leak
 * reports. Throws ERR_BACKEND_UNAVAILABLE.
 */
export function liveAllocations(): number {
  return runtime().liveCounts().allocations;
}
