export { livesWhileHeld } from './lives-while-held.js';
export { ANOTHER_USER, canPlayTwoUsers } from './two-users.js';
export { errorWithoutFiles } from './without-files.js';
export {
  addonOfOneWorker,
  addonsOfFunctions,
  capsulesOfWorkers,
  type OfWorkers,
  wordOf,
} from './workers.js';

import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { collectUntil } from '@array-interface/support';

/** What `giver.node` is told about an array; it chooses common values for omitted fields. */
export interface Gift {
  readonly shape: readonly number[];
  /** In elements. Omitted: no strides, as DLPack before 1.2 allowed. */
  readonly strides?: readonly number[];
  /** How many floats 0, 1, 2, … of its own it has. If omitted, `data` is the address. */
  readonly floats?: number;
  readonly data?: bigint;
  readonly byteOffset?: number;
  readonly deviceType?: number;
  readonly code?: number;
  readonly bits?: number;
  readonly lanes?: number;
  readonly typestr?: string;
  readonly readOnly?: boolean;
  /** DLPack's flags, in addition to that of `readOnly`. */
  readonly flags?: bigint;
  readonly kind?: number;
  readonly order?: bigint;
  readonly context?: bigint;
  /** Whether it wants to be told of the consumer's work. */
  readonly hears?: boolean;
  readonly abi?: number;
  /** DLPack's major version. */
  readonly major?: number;
  /** Bytes of fields that this version of the header does not define. */
  readonly more?: number;
  readonly isWithoutTensor?: boolean;
  /** Functions of other copies of the addon, as their `functions()` returns them. */
  readonly release?: bigint;
  readonly deleter?: bigint;
  readonly consumed?: bigint;
}

/** What happened to the giver's arrays since the last call, in the whole process. */
export interface Seen {
  readonly released: number;
  readonly deleted: number;
  /** How many of these on another thread than the one that exported the array. */
  readonly elsewhere: number;
  readonly consumed: readonly (readonly [kind: number, order: bigint])[];
}

export interface Giver {
  give(gift: Gift): never;
  look(): Seen;
  functions(): { readonly [name in 'release' | 'deleter' | 'consumed']: bigint };
  /** New memory that is freed with its owner. */
  memory(byteLength: number): { readonly pointer: bigint; readonly owner: object };
  /** An External without this library's tag. */
  external(): never;
  /** The bytes outside of its heap that V8 was told of by addons. */
  told(): number;
  /** An object that the addon wrapped, without a tag. */
  wrapped(): object;
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
  /** The sum of floats along one axis, in memory that this process can access. */
  sum(id: number): number;
  /** Tells the array's producer of work, on another thread. */
  consumed(id: number, kind: number, order: bigint): void;
  /** Takes the tensor out. The first release is then the array's, the second the tensor's. */
  keepTensor(id: number): void;
  /**
   * `later`: on another thread, 300 ms after this returns. `at exit`: after the exit handlers of
   * everything that was loaded after this addon.
   */
  release(id: number, how: 'here' | 'another' | 'later' | 'at exit'): void;
  isCapsule(value: unknown): boolean;
  /** Releases everything that a failed test still holds, so that nothing waits for it. */
  letGo(): void;
}

/** Loads both addons, built with the tests of the package whose folder this is. */
export function foreignAddons(folder: string): { readonly giver: Giver; readonly taker: Taker } {
  return { giver: foreignGiver(folder), taker: foreignTaker(folder) };
}

/** Loads only the giver. */
export function foreignGiver(folder: string): Giver {
  return createRequire(import.meta.url)(fileOf(folder, 'giver'));
}

/** Loads only the taker. */
export function foreignTaker(folder: string): Taker {
  const native: Omit<Taker, 'letGo'> = createRequire(import.meta.url)(fileOf(folder, 'taker'));
  /** The arrays that need a release, once for each that they need. */
  const held: number[] = [];
  return {
    ...native,
    take(value) {
      const found = native.take(value);
      held.push(found.id);
      return found;
    },
    keepTensor(id) {
      native.keepTensor(id);
      held.push(id);
    },
    release(id, how) {
      const at = held.indexOf(id);
      if (at >= 0) held.splice(at, 1);
      native.release(id, how);
    },
    letGo() {
      for (const id of [...held]) this.release(id, 'here');
    },
  };
}

/**
 * Flags of Node that load both first. If an addon is loaded after the SYCL runtime, LeakSanitizer
 * loses track of what the runtime keeps.
 */
export function foreignFlags(folder: string): string[] {
  return ['giver', 'taker'].flatMap((name) => ['--require', fileOf(folder, name)]);
}

/** Returns the path of one of them, `giver` or `taker`. */
export function fileOf(folder: string, name: string): string {
  const built = process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(folder, 'build/Release');
  return resolve(built, `test/${name}.node`);
}

/** Collects garbage until `giver` has seen this many arrays end since the last call. */
export async function allReleased(giver: Giver, count: number): Promise<void> {
  let released = 0;
  const isReleased = () => {
    released += giver.look().released;
    return released === count;
  };
  if (await collectUntil(isReleased, 6000, 10)) return;
  throw new Error(`expected ${count} arrays to be released, got ${released}`);
}
