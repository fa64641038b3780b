import { type ArrayLike, type Backend, BackendArray } from '../backend/interface/array.js';
import type { CopyOptions, LaunchOptions } from '../backend/interface/options.js';
import type { PreparedLaunch } from '../backend/launch/prepared-launch.js';
import { countDeferred, enqueuedSince } from '../backend/order/deferred-work.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { Kernel } from '../kernel/kernel.js';

/** A launch whose kernel and options were checked. It takes any arguments, again and again. */
export interface AnyLaunch {
  /** Launches. Returns null if there is nothing to wait for. Throws at once what it can. */
  launch(values: object): Promise<void> | null;
  /**
   * Checks a launch of one piece that is to be made again and again, of arrays in the backend's own
   * memory. `given` names all arrays, in order, and the numbers that each launch gives. Returns null
   * if the backend prepares none. Throws at once.
   */
  prepare(values: object, given: readonly string[]): PreparedLaunch | null;
}

/** The copies and launches of one call. They return null if there is nothing to wait for. */
export interface AtOnce {
  /** Returns the descriptor of an array of the backend, or null. Throws ERR_DISPOSED. */
  describe(array: ArrayLike): ArrayDescriptor | null;
  /** `Backend.copy` with options that were checked. Throws at once what it can. */
  copy(to: ArrayLike, from: ArrayLike, options: CopyOptions): Promise<void> | null;
  /** Checks all of `Backend.launch` but its arguments. Throws at once. */
  checkLaunch(kernel: Kernel, options: LaunchOptions): AnyLaunch;
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
  readonly #to: Pick<AtOnce, 'copy'> & Partial<Pick<AtOnce, 'checkLaunch'>>;
  readonly #backend: Backend;
  readonly #before = countDeferred();

  constructor(backend: Backend) {
    this.#backend = backend;
    const { maker } = backend as unknown as {
      readonly maker?: Pick<AtOnce, 'copy' | 'checkLaunch'>;
    };
    this.#to = maker ?? backend;
  }

  describe(array: ArrayLike): ArrayDescriptor | null {
    const isArray = typeof array === 'object' && array !== null && BackendArray.is(array);
    return isArray && array.backend === this.#backend ? array.descriptor : null;
  }

  copy(to: ArrayLike, from: ArrayLike, options: CopyOptions): Promise<void> | null {
    return this.#to.copy(to, from, options);
  }

  checkLaunch(kernel: Kernel, options: LaunchOptions): AnyLaunch {
    const checked = this.#to.checkLaunch?.(kernel, options);
    if (checked !== undefined) return checked;
    const backend = this.#backend;
    return {
      launch: (values) => backend.launch(kernel, options, values as never),
      prepare: () => null,
    };
  }

  join(signal?: AbortSignal): Promise<void> | null {
    return enqueuedSince(this.#before, signal);
  }
}
