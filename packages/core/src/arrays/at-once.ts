import type { ArrayLike, Backend } from '../backend/interface/array.js';
import type { CopyOptions, LaunchOptions } from '../backend/interface/options.js';
import { countDeferred, enqueuedSince } from '../backend/order/deferred-work.js';
import type { Kernel } from '../kernel/kernel.js';

/** The copies and launches of one call. They return null if there is nothing to wait for. */
export interface AtOnce {
  /** `Backend.copy` with options that were checked. Throws at once what it can. */
  copy(to: ArrayLike, from: ArrayLike, options: CopyOptions): Promise<void> | null;
  /** `Backend.launch`, in the same way. */
  launch(kernel: Kernel, options: LaunchOptions, values: object): Promise<void> | null;
  /**
   * Everything is requested: settles when what waits for a kernel's build is enqueued. If some of
   * it fails, the rest is cancelled.
   */
  join(signal?: AbortSignal): Promise<void> | null;
}

/**
 * Returns what a call of several steps needs: after a step that fails, the next ones must not be
 * requested, since they would read what nobody wrote.
 */
export function atOnce(backend: Backend): AtOnce {
  const { maker } = backend as unknown as { readonly maker?: Pick<AtOnce, 'copy' | 'launch'> };
  const before = countDeferred();
  return {
    copy: (to, from, options) => (maker ?? backend).copy(to, from, options),
    launch: (kernel, options, values) =>
      (maker ?? backend).launch(kernel, options, values as never),
    join: (signal) => enqueuedSince(before, signal),
  };
}
