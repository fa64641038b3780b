import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SyclCapsule } from '@array-interface/core';
import {
  type ArrayCapsule,
  backendUnavailable,
  type LoadedAddon,
  loadAddon,
  type NativeAddon,
} from '@array-interface/core/backend';
import { modulePath } from './module-path.js';

/**
 * What the addon makes of a Python object, which it holds: an object with the dict of one interface,
 * or a capsule, which has none of these.
 */
export interface Produced {
  readonly __array_interface__?: object;
  readonly __cuda_array_interface__?: object;
  readonly __sycl_usm_array_interface__?: object;
  /** The queue or context that SYCL's dict names: a PyObject. */
  readonly place?: object;
  /** The buffer that the elements have to lie in, where the dict's `data` is one. */
  readonly start?: bigint;
  /** Its length. */
  readonly byteLength?: number;
}

/** The functions of `python.node`. */
export interface Addon extends NativeAddon {
  /**
   * Starts the Python of this process: the library, as the program, whose environment lies in
   * `prefix`. `version` is what the library must be. Again with the same library and environment, it
   * does nothing. Throws ERR_BACKEND_UNAVAILABLE.
   */
  start(library: string, program: string, prefix: string, version: string): void;
  /** Where the Python of this process lies; null: none was started. */
  running(): { readonly library: string; readonly prefix: string } | null;
  /** Runs Python's exit functions, and makes the process's end safe for Python's libraries. */
  beforeExit(): void;
  /** What Python says of its version. */
  version(): string;

  /** Gives the addon the classes of its objects and errors, and what it builds values with. */
  teach(objects: object, errors: object, builders: object): void;
  import(name: string): object;
  exec(code: string): void;
  eval(code: string): unknown;
  // All of these take a PyObject first.
  get(object: object, name: string): unknown;
  set(object: object, name: string, value: unknown): void;
  has(object: object, name: string): boolean;
  /** With at most four arguments, none by name. */
  callFew(object: object, ...args: readonly unknown[]): unknown;
  callMethodFew(object: object, name: string, ...args: readonly unknown[]): unknown;
  call(object: object, args?: readonly unknown[], kwargs?: object): unknown;
  callMethod(object: object, name: string, args?: readonly unknown[], kwargs?: object): unknown;
  item(object: object, key: unknown): unknown;
  setItem(object: object, key: unknown, value: unknown): void;
  length(object: object): number;
  iterate(object: object): object;
  /** The next value of an iterator, undefined after the last. */
  next(iterator: object): unknown;
  toWhole(object: object): unknown;
  str(object: object): string;
  repr(object: object): string;
  is(object: object, other: unknown): boolean;
  dispose(object: object): void;
  /** Calls it on a thread of its own. `cancel` raises KeyboardInterrupt there. */
  runAsync(
    callable: object,
    args: readonly unknown[],
    kwargs: object | undefined,
  ): { promise: Promise<unknown>; run: object };
  cancel(run: object): void;

  /**
   * The array in a capsule as an object of Python's. `descr` (a Python expression) and `format` (PEP
   * 3118's) tell of a record; null for other dtypes.
   */
  toPython(
    capsule: ArrayCapsule,
    readOnly: boolean,
    descr: string | null,
    format: string | null,
  ): object;

  /**
   * What a backend reads in the place of an object: one with a dict, or a capsule. The backend's
   * protocol: 0 CUDA, 1 SYCL, else the host's.
   */
  produce(object: object, protocol: number): Produced;
  /** A capsule of an object's array. */
  capsule(object: object): ArrayCapsule;
  /** A new capsule of a queue or context. */
  syclCapsule(place: object): SyclCapsule;
}

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'python',
    built: join(dirname(modulePath), '../build/Release/'),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu'],
    require: createRequire(modulePath),
  });
  return found;
}

/** The addon, loaded at first use. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the python addon', answer);
}
