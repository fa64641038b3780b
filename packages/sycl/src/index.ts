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
  type SearchEnvironment,
} from './driver/find-library.js';
export { kernelFolder } from './driver/kernel-folder.js';
export { whyNoRuntime } from './driver/platform.js';
export { sharedRuntime } from './driver/shared-runtime.js';
export type { SyclEmptyOptions, SyclQueueOptions } from './options.js';
export type { Capsule } from './work/capsule.js';
export { SyclContext } from './work/context.js';
export { type EventStatus, type EventTimes, SyclEvent } from './work/event.js';
export { SyclQueue } from './work/queue.js';

/**
 * The SYCL backend of this process. Importing it loads nothing; the runtime is loaded on first use.
 *
 * @example
 * ```ts
 * import { sycl } from '@array-interface/sycl';
 *
 * using array = await sycl.array([1, 2, 3], { dtype: 'float32' });
 * console.log(await sycl.toTypedArray(array)); // Float32Array(3) [ 1, 2, 3 ]
 * ```
 */
export const sycl: SyclBackend = new SyclBackend();

/**
 * Returns how many blocks of USM memory of this process JavaScript or pending work uses. Blocks
 * that are cached for later allocations do not count. For tests and leak reports. Throws
 * ERR_BACKEND_UNAVAILABLE.
 *
 * @example
 * ```ts
 * import { liveAllocations } from '@array-interface/sycl';
 *
 * console.log(`${liveAllocations()} blocks are in use`); // 0 blocks are in use
 * ```
 */
export function liveAllocations(): number {
  return runtime().liveCounts().allocations;
}
