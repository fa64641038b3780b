export { livesWhileHeld } from './lives-while-held.js';
export { ANOTHER_USER, canPlayTwoUsers } from './two-users.js';
export { errorWithoutFiles } from './without-files.js';
export {
  addonOfOneWorker,
  addonsOfFunctions,
  capsulesOfWorkers,
  type OfWorkers,
} from './workers.js';

import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What `giver.node` is told of an array; of what is left out it makes something usual. */
export interface Gift {
  readonly shape: readonly number[];
  /** In elements; left out: there are none, as DLPack before 1.2 allowed. */
  readonly strides?: readonly number[];
  /** How many floats 0, 1, 2, … of its own it has. Without any, `data` is the address. */
  readonly floats?: number;
  readonly data?: bigint;
  readonly byteOffset?: number;
  readonly deviceType?: number;
  readonly code?: number;
  readonly bits?: number;
  readonly lanes?: number;
  readonly typestr?: string;
  readonly readOnly?: boolean;
  /** DLPack's, beside that of `readOnly`. */
  readonly flags?: bigint;
  readonly kind?: number;
  readonly order?: bigint;
  readonly context?: bigint;
  /** Whether it wants to be told of the consumer's work. */
  readonly hears?: boolean;
  readonly abi?: number;
  /** DLPack's major version. */
  readonly major?: number;
  /** Bytes of fields that this version of the header does not know. */
  readonly more?: number;
  readonly isWithoutTensor?: boolean;
  /** Functions of other copies of the addon, as their `functions()` gives them. */
  readonly release?: bigint;
  readonly deleter?: bigint;
  readonly consumed?: bigint;
}

/** What became of the giver's arrays since the last look, in the whole process. */
export interface Seen {
  readonly released: number;
  readonly deleted: number;
  /** How many of these on another thread than the one that gave the array. */
  readonly elsewhere: number;
  readonly consumed: readonly (readonly [kind: number, order: bigint])[];
}

export interface Giver {
  give(gift: Gift): never;
  look(): Seen;
  functions(): { readonly [name in 'release' | 'deleter' | 'consumed']: bigint };
  /** New memory that ends with its owner. */
  memory(byteLength: number): { readonly pointer: bigint; readonly owner: object };
  /** An External without our tag. */
  external(): never;
}

/** What `taker.node` finds. */
export interface Found {
  readonly id: number;
  readonly size: number;
  /** DLPack's: 1.3. */
  readonly version: number;
  readonly flags: number;
  readonly data: bigint;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly dtype: readonly [code: number, bits: number, lanes: number];
  readonly device: readonly [type: number, id: number];
  readonly kind: number;
  readonly order: bigint;
  readonly context: bigint;
  readonly hears: boolean;
  readonly typestr: string | null;
}

export interface Taker {
  take(value: unknown): Found;
  /** Of floats along one axis, in memory that this process reaches. */
  sum(id: number): number;
  /** Tells the array's producer of work, on another thread. */
  consumed(id: number, kind: number, order: bigint): void;
  /** Takes the tensor out; the first release is then the array's, the second the tensor's. */
  keepTensor(id: number): void;
  /**
   * `later`: on another thread, 300 ms after this returns. `at exit`: after the exit handlers of all that
   * was loaded after this addon.
   */
  release(id: number, how: 'here' | 'another' | 'later' | 'at exit'): void;
  isCapsule(value: unknown): boolean;
  /** Releases all that a test which failed still holds, so that nothing waits for it. */
  letGo(): void;
}

/** The two addons, built with the tests of the package whose folder this is. */
export function foreignAddons(folder: string): { readonly giver: Giver; readonly taker: Taker } {
  return { giver: foreignGiver(folder), taker: foreignTaker(folder) };
}

/** One of them alone. */
export function foreignGiver(folder: string): Giver {
  return createRequire(import.meta.url)(fileOf(folder, 'giver'));
}

/** The other one alone. */
export function foreignTaker(folder: string): Taker {
  const native: Omit<Taker, 'letGo'> = createRequire(import.meta.url)(fileOf(folder, 'taker'));
  /** How often each is to be released. */
  const held = new Map<number, number>();
  const hold = (id: number, by: number) => {
    const times = (held.get(id) ?? 0) + by;
    if (times === 0) held.delete(id);
    else held.set(id, times);
  };
  return {
    ...native,
    take(value) {
      const found = native.take(value);
      hold(found.id, 1);
      return found;
    },
    keepTensor(id) {
      native.keepTensor(id);
      hold(id, 1);
    },
    release(id, how) {
      hold(id, -1);
      native.release(id, how);
    },
    letGo() {
      for (const [id, times] of [...held]) {
        for (let i = 0; i < times; i++) this.release(id, 'here');
      }
    },
  };
}

/**
 * Flags of Node that load both before all else. LeakSanitizer loses sight of what the SYCL runtime
 * keeps where an addon is loaded after it.
 */
export function foreignFlags(folder: string): string[] {
  return ['giver', 'taker'].flatMap((name) => ['--require', fileOf(folder, name)]);
}

/** Where one of them is, `giver` or `taker`. */
export function fileOf(folder: string, name: string): string {
  const built = process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(folder, 'build/Release');
  return resolve(built, `test/${name}.node`);
}

/** Collects garbage until `giver` has seen so many arrays end since the last look. */
export async function allReleased(giver: Giver, count: number): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let released = 0;
  for (let round = 0; round < 6000; round++) {
    collect();
    await pause(10);
    released += giver.look().released;
    if (released === count) return;
  }
  throw new Error(`expected ${count} arrays to be released, got ${released}`);
}
