import { SyclBackend } from './backend.js';
import { runtime } from './driver/runtime.js';

export type {
  Held,
  OpenSharedOptions,
  ShareOptions,
  ThreadTicket,
} from '@array-interface/core/backend';
export { SyclArray } from './array.js';
export { SyclBackend, type SyclDevice, type SyclPointerInfo } from './backend.js';
export {
  type Environment,
  findLibraries,
  libraryUnder,
  openClDriverOf,
  type Surroundings,
} from './driver/find-library.js';
export { kernelFolder } from './driver/kernel-folder.js';
export { whyNoRuntime } from './driver/platform.js';
export { sharedRuntime } from './driver/shared-runtime.js';
export type { SyclEmptyOptions, SyclQueueOptions } from './options.js';
export type { Capsule } from './work/capsule.js';
export { SyclContext } from './work/context.js';
export { type EventStatus, type EventTimes, SyclEvent } from './work/event.js';
export { SyclQueue } from './work/queue.js';

/** The SYCL backend of this process. Importing it loads nothing. */
export const sycl: SyclBackend = new SyclBackend();

/**
 * Blocks of USM memory that this process allocated and has not given back. For tests and leak
 * reports. Throws ERR_BACKEND_UNAVAILABLE.
 */
export function liveAllocations(): number {
  return runtime().liveCounts().allocations;
}
