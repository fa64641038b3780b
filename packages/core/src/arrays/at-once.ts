import { type ArrayLike, type Backend, BackendArray } from '../backend/interface/array.js';
import type { CopyOptions, LaunchOptions } from '../backend/interface/options.js';
import type { PreparedLaunch } from '../backend/launch/prepared-launch.js';
import { countDeferred, enqueuedSince } from '../backend/order/deferred-work.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { Kernel } from '../kernel/kernel.js';

/** The copies and launches of one call. They return null if there is nothing to wait for. */
export interface AtOnce {
  /** Returns the descriptor of an array of the backend, or null. Throws ERR_DISPOSED. */
  describe(array: ArrayLike): ArrayDescriptor | null;
  /** `Backend.copy` with options that were checked. Throws at once what it can. */
  copy(to: ArrayLike, from: ArrayLike, options: CopyOptions): Promise<void> | null;
  /** `Backend.launch`, in the same way. */
  launch(kernel: Kernel, options: LaunchOptions, values: object): Promise<void> | null;
  /**
   * Checks a launch of one piece that is to be made again and again, of arrays in the backend's own
   * memory. Returns null if the backend prepares none. Throws at once.
   */
  prepare(kernel: Kernel, options: LaunchOptions, values: object): PreparedLaunch | null;
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
  return new Steps(backend);
}

/** A class, since each call of an expression makes one. */
class Steps implements AtOnce {
  readonly #to: Pick<AtOnce, 'copy' | 'launch'> & Partial<Pick<AtOnce, 'prepare'>>;
  readonly #backend: Backend;
  readonly #before = countDeferred();

  constructor(backend: Backend) {
    this.#backend = backend;
    const { maker } = backend as unknown as {
      readonly maker?: Pick<AtOnce, 'copy' | 'launch' | 'prepare'>;
    };
    this.#to = maker ?? (backend as Pick<AtOnce, 'copy' | 'launch'>);
  }

  describe(array: ArrayLike): ArrayDescriptor | null {
    const isArray = typeof array === 'object' && array !== null && BackendArray.is(array);
    return isArray && array.backend === this.#backend ? array.descriptor : null;
  }

  copy(to: ArrayLike, from: ArrayLike, options: CopyOptions): Promise<void> | null {
    return this.#to.copy(to, from, options);
  }

  launch(kernel: Kernel, options: LaunchOptions, values: object): Promise<void> | null {
    return this.#to.launch(kernel, options, values);
  }

  prepare(kernel: Kernel, options: LaunchOptions, values: object): PreparedLaunch | null {
    return this.#to.prepare?.(kernel, options, values) ?? null;
  }

  join(signal?: AbortSignal): Promise<void> | null {
    return enqueuedSince(this.#before, signal);
  }
}
