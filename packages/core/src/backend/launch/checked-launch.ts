import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Backend } from '../interface/array.js';
import type { Driver } from '../interface/driver.js';
import type { LaunchOptions } from '../interface/options.js';
import { launch, type ReadLaunch, readLaunch } from './launch.js';
import { PreparedLaunch } from './prepared-launch.js';

/** The `AnyLaunch` of backends that have a driver. */
export class CheckedLaunch {
  readonly #backend: Backend;
  readonly #driver: Driver;
  readonly #read: ReadLaunch;
  readonly #resolve: (array: ArrayDescriptor) => ArrayDescriptor;

  /** Throws what a launch rejects with for its kernel and options. */
  constructor(
    backend: Backend,
    driver: Driver,
    kernel: Kernel,
    options: LaunchOptions,
    resolve: (array: ArrayDescriptor) => ArrayDescriptor,
  ) {
    this.#backend = backend;
    this.#driver = driver;
    this.#read = readLaunch(backend, kernel, options);
    this.#resolve = resolve;
  }

  /** Launches with these arguments. Returns null if it is enqueued and there is nothing to wait for. */
  launch(values: object): Promise<void> | null {
    return launch(this.#backend, this.#driver, this.#read, values, this.#resolve);
  }

  /** Checks once what many launches have in common. Their arrays are in the backend's own memory. */
  prepare(values: object, given: readonly string[]): PreparedLaunch {
    return new PreparedLaunch(this.#backend, this.#driver, this.#read, values, given);
  }
}
