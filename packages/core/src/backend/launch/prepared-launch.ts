import { acquire } from '../access/acquire.js';
import type { Backend } from '../interface/array.js';
import type { Driver, Launch } from '../interface/driver.js';
import type { BackendQueue } from '../interface/queue.js';
import { type BoundArguments, bindArguments, keepValues } from './bind-arguments.js';
import { chooseQueue, piecesOf, type ReadLaunch, request } from './launch.js';

/** What a launch passed to the driver, and where. */
interface Passed {
  readonly queue: BackendQueue;
  readonly built: object;
  readonly launch: Launch;
}

/**
 * A launch that is made again and again with the same arguments, whose arrays are in memory of the
 * backend. They are checked once; that their memory has not been disposed of, each time.
 */
export class PreparedLaunch {
  readonly #driver: Driver;
  readonly #read: ReadLaunch;
  readonly #bound: BoundArguments;
  #passed: Passed | null = null;

  /** Throws what a launch rejects with for its arguments. */
  constructor(backend: Backend, driver: Driver, read: ReadLaunch, values: object) {
    this.#driver = driver;
    this.#read = read;
    const { signature } = read;
    const mayOverlap = read.kernel.mayOverlap === true;
    this.#bound = bindArguments(backend, driver, signature, mayOverlap, values, (array) => array);
    this.#bound.release();
    keepValues(signature);
  }

  /** Launches. Returns null if it is enqueued and there is nothing to wait for. */
  launch(): Promise<void> | null {
    const driver = this.#driver;
    const bound = { arrays: this.#bound.arrays, release: this.#retain() };
    return request(driver, this.#read, bound, () => {
      const queue = chooseQueue(driver, bound, this.#read.options.queue);
      return { queue, run: (built) => this.#pass(queue, built) };
    });
  }

  /** Retains all memories. Returns a function that releases them. Throws ERR_DISPOSED. */
  #retain(): () => void {
    const { arrays } = this.#bound;
    let count = 0;
    const release = () => {
      for (let index = 0; index < count; index++) arrays[index]?.memory.release();
    };
    try {
      for (const { array, slot } of arrays) {
        acquire(this.#driver, array, slot.name);
        count++;
      }
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  #pass(queue: BackendQueue, built: object): Promise<void> | null {
    const driver = this.#driver;
    if (this.#passed?.queue !== queue || this.#passed.built !== built) {
      // A grid of one piece: the values have no first index to be written for each.
      const [launch] = piecesOf(driver, queue, built, this.#read, this.#bound) as [Launch];
      this.#passed = { queue, built, launch };
    }
    return driver.launch(queue, built, this.#passed.launch) ?? null;
  }
}
