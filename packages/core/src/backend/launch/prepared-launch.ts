import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { writeNumber } from '../../kernel/number.js';
import { type Slot, slotBytes } from '../../kernel/signature.js';
import type { Backend } from '../interface/array.js';
import type { Driver, Launch } from '../interface/driver.js';
import { type BackendQueue, checkQueue } from '../interface/queue.js';
import {
  assertApart,
  type BoundArguments,
  type BoundArray,
  bindArguments,
  bindArray,
  newValues,
  type Values,
  writeAddress,
} from './bind-arguments.js';
import { chooseQueue, piecesOf, type ReadLaunch, request } from './launch.js';

/** An argument that each launch gives, and where its value is among all. */
interface GivenSlot {
  readonly slot: Slot & { readonly kind: 'array' | 'number' };
  readonly place: number;
}

type Bound = Pick<BoundArguments, 'values' | 'arrays' | 'release'>;

/** What launches of the same built kernel on a queue have in common. */
interface Common {
  readonly built: object;
  readonly piece: Pick<Launch, 'begin' | 'range' | 'group' | 'localBytes' | 'signal'>;
}

/**
 * A launch that is made again and again with other arrays and numbers. All else was checked and
 * written once. Keeps no array alive.
 */
export class PreparedLaunch {
  readonly #backend: Backend;
  readonly #driver: Driver;
  readonly #read: ReadLaunch;
  readonly #given: readonly GivenSlot[];
  /** The values of the launch that it was prepared with. */
  readonly #first: Uint8Array;
  readonly #local: BoundArguments['local'];
  /** A buffer that no pending launch needs, for reuse. */
  #spare: Values | null = null;
  /** By queue, which are not kept alive. */
  readonly #common = new WeakMap<BackendQueue, Common>();

  /**
   * Takes the arguments of a launch by name. `given` names all arrays, in the order of the
   * parameters, and the numbers that each launch gives. Throws what a launch rejects with for its
   * arguments.
   */
  constructor(
    backend: Backend,
    driver: Driver,
    read: ReadLaunch,
    values: object,
    given: readonly string[],
  ) {
    this.#backend = backend;
    this.#driver = driver;
    this.#read = read;
    const { signature, kernel } = read;
    const mayOverlap = kernel.mayOverlap === true;
    const bound = bindArguments(backend, driver, signature, mayOverlap, values, (array) => array);
    this.#first = bound.values.bytes.slice();
    this.#local = bound.local;
    bound.release();
    this.#given = placesOf(signature.slots, given);
  }

  /**
   * Launches with what it was prepared to be given, in that order. The arrays are in memory of the
   * backend, and lie as those that it was prepared with. Returns null if it is enqueued and there is
   * nothing to wait for. Throws what a launch rejects with.
   */
  launch(values: readonly unknown[]): Promise<void> | null {
    const driver = this.#driver;
    const { queue: named } = this.#read.options;
    if (named !== undefined) checkQueue(named); // it may have been disposed of
    const bound = this.#bind(values);
    return request(driver, this.#read, bound, () => {
      const queue = chooseQueue(driver, bound, named);
      return { queue, run: (built) => this.#pass(queue, built, bound) };
    });
  }

  #bind(given: readonly unknown[]): Bound {
    const backend = this.#backend;
    const driver = this.#driver;
    const values = this.#takeValues();
    const arrays: BoundArray[] = [];
    const release = () => {
      for (const { memory } of arrays) memory.release();
      this.#spare = values;
    };
    try {
      for (let index = 0; index < this.#given.length; index++) {
        const { slot, place } = this.#given[index] as GivenSlot;
        if (slot.kind === 'array') {
          const bound = bindArray(backend, driver, slot, given[index] as ArrayDescriptor);
          arrays.push(bound);
          writeAddress(values.view, place, bound.array);
        } else {
          writeNumber(values.view, place, slot.type, given[index], slot.name);
        }
      }
      if (this.#read.kernel.mayOverlap !== true) assertApart(arrays);
      return { values, arrays, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #takeValues(): Values {
    const spare = this.#spare;
    this.#spare = null;
    if (spare !== null) return spare;
    const values = newValues(this.#first.length);
    values.bytes.set(this.#first);
    return values;
  }

  #pass(queue: BackendQueue, built: object, bound: Bound): Promise<void> | null {
    const { begin, range, group, localBytes, signal } = this.#pieceOf(queue, built, bound);
    const { arrays: uses, values } = bound;
    const arrays = uses.map(({ array }) => array);
    const launch = { begin, range, group, localBytes, signal, values: values.bytes, uses, arrays };
    return this.#driver.launch(queue, built, launch) ?? null;
  }

  /** Returns the whole grid, whose values have no first index to be written for each piece. */
  #pieceOf(queue: BackendQueue, built: object, bound: Bound): Common['piece'] {
    const known = this.#common.get(queue);
    if (known?.built === built) return known.piece;
    const whole = { ...bound, local: this.#local };
    const [piece] = piecesOf(this.#driver, queue, built, this.#read, whole) as [Launch];
    const { begin, range, group, localBytes, signal } = piece;
    this.#common.set(queue, { built, piece: { begin, range, group, localBytes, signal } });
    return piece;
  }
}

function placesOf(slots: readonly Slot[], names: readonly string[]): GivenSlot[] {
  let place = 0;
  const all = slots.map((slot) => {
    const own = { slot, place };
    place += slotBytes(slot);
    return own;
  });
  return names.map((name) => all.find(({ slot }) => slot.name === name) as GivenSlot);
}
