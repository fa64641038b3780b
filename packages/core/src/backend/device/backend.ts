import { BaseBackend } from '../base-backend.js';
import type { BackendArray } from '../interface/array.js';
import type { Driver } from '../interface/driver.js';
import type { CopyOptions, EmptyOptions } from '../interface/options.js';
import type { WaitOptions } from '../interface/queue.js';
import type { DeviceAddon } from './addon.js';

/** The public side that backends share whose driver is a `DeviceDriver`. */
export abstract class DeviceBackend<
  A extends BackendArray,
  D extends Driver<A> & { readonly addon: DeviceAddon },
  O extends EmptyOptions = EmptyOptions,
> extends BaseBackend<A, D, CopyOptions, O> {
  /**
   * Settles once all work that this library has enqueued, on all queues of this backend, has ended.
   * Does not block a thread. Rejects with ERR_BACKEND_UNAVAILABLE, with ERR_CUDA or ERR_SYCL if work
   * failed, and with the signal's reason.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * await cuda.synchronize({ signal: AbortSignal.timeout(1000) });
   * ```
   */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    await this.afterWaiting(() => this.driver.addon.waitAll(), options);
  }

  /**
   * Settles once all kernels that copies and launches have requested so far are built. Does not
   * block a thread. To avoid build time later, make one copy of each kind first and await this. The
   * package's README says which copies request a kernel. Rejects with ERR_BACKEND_UNAVAILABLE and
   * with the signal's reason.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using matrix = cuda.empty([3, 2], 'float32');
   * using turned = cuda.empty([2, 3], 'float32');
   * void cuda.copy(turned, matrix.transpose()); // requests the kernel for this kind of copy
   * await cuda.whenKernelsReady();
   * ```
   */
  async whenKernelsReady(options: WaitOptions = {}): Promise<void> {
    await this.afterWaiting(() => this.driver.addon.whenKernelsReady(), options);
  }

  /**
   * Returns cached memory, which the package keeps for the next arrays, to the driver. Covers all
   * threads of the process. Settles once that is done; the driver may wait for all work on the
   * devices. Rejects with ERR_BACKEND_UNAVAILABLE.
   *
   * This process's allocations use cached memory by themselves; other processes cannot.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * await cuda.releaseCached();
   * ```
   */
  async releaseCached(): Promise<void> {
    await this.driver.addon.releaseCached();
  }
}
