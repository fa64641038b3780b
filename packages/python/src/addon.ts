import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SyclCapsule } from '@array-interface/core';
import {
  type ArrayCapsule,
  type ArrowStructs,
  backendUnavailable,
  type LoadedAddon,
  loadAddon,
  type NativeAddon,
} from '@array-interface/core/backend';
import { modulePath } from './module-path.js';

/**
 * What the addon makes of a Python object, which it keeps: an object with the dict of one
 * interface, or a capsule, which has none of these.
 */
export interface Produced {
  readonly __array_interface__?: object;
  readonly __cuda_array_interface__?: object;
  readonly __sycl_usm_array_interface__?: object;
  /** The queue or context that SYCL's dict names: a PyObject. */
  readonly place?: object;
  /** Address of the buffer that must contain the elements, if the dict's `data` is a buffer. */
  readonly start?: bigint;
  /** Bytes of that buffer. */
  readonly byteLength?: number;
}

/** The structs of a column that a Python object has exported. They live as long as this object. */
export interface Column extends ArrowStructs<bigint> {
  /** Keeps Python's capsules, which release the structs. */
  readonly hold: object;
}

/** The functions of `python.node`. */
export interface Addon extends NativeAddon {
  /**
   * Starts Python in this process: loads the library, and acts as the program whose environment is
   * in `prefix`. The library must have `version`. Does nothing if the same library and environment
   * run already. Throws ERR_BACKEND_UNAVAILABLE.
   */
  start(library: string, program: string, prefix: string, version: string): void;
  /** The library and environment of this process's Python. Null if none was started. */
  running(): { readonly library: string; readonly prefix: string } | null;
  /** Runs Python's exit functions, and makes the process's end safe for Python's libraries. */
  beforeExit(): void;
  /** Python's own description of its version. */
  version(): string;

  /** Registers the classes of Python's objects and errors, and the functions that build values. */
  teach(objects: object, errors: object, builders: object): void;
  import(name: string): object;
  importFile(file: string): object;
  exec(code: string, filename?: string, globals?: unknown, locals?: unknown): void;
  eval(code: string, filename?: string, globals?: unknown, locals?: unknown): unknown;
  /** Calls a built-in class. */
  construct(name: string, ...args: readonly unknown[]): object;
  // Each of the following takes a PyObject first. Those with `raw` return a PyObject for any value.
  get(object: object, name: string): unknown;
  rawGet(object: object, name: string): object;
  set(object: object, name: string, value: unknown): void;
  has(object: object, name: string): boolean;
  delete(object: object, name: string): void;
  /** Calls with at most four arguments, none by name. */
  callFew(object: object, ...args: readonly unknown[]): unknown;
  callMethodFew(object: object, name: string, ...args: readonly unknown[]): unknown;
  call(object: object, args?: readonly unknown[], kwargs?: object): unknown;
  rawCall(object: object, args?: readonly unknown[], kwargs?: object): object;
  callMethod(object: object, name: string, args?: readonly unknown[], kwargs?: object): unknown;
  rawCallMethod(object: object, name: string, args?: readonly unknown[], kwargs?: object): object;
  getItem(object: object, ...keys: readonly unknown[]): unknown;
  rawGetItem(object: object, ...keys: readonly unknown[]): object;
  setItem(object: object, ...keysAndValue: readonly unknown[]): void;
  deleteItem(object: object, ...keys: readonly unknown[]): void;
  contains(object: object, value: unknown): boolean;
  length(object: object): number;
  isTrue(object: object): boolean;
  iterate(object: object): object;
  /** Returns the next value of an iterator, or undefined after the last. */
  next(iterator: object): unknown;
  rawNext(iterator: object): object | undefined;
  /** Copies so many levels of containers; all without a number. */
  toJS(object: object, depth: number | undefined, maps: boolean | undefined): unknown;
  toJson(object: object): unknown;
  /** The value of an object that is a number or a text. */
  primitive(object: object): string | number | bigint | boolean;
  /** Calls a function of Python's module `operator`. */
  operate(name: string, object: object, other?: unknown): unknown;
  str(object: object): string;
  repr(object: object): string;
  is(object: object, other: unknown): boolean;
  dispose(object: object): void;
  /** Calls it on the thread of a name, or on one of the pool. `cancel` raises KeyboardInterrupt there. */
  runAsync(
    callable: object,
    args: readonly unknown[],
    kwargs: object | undefined,
    thread: string,
  ): { promise: Promise<[unknown]>; run: object };
  cancel(run: object): void;
  /** Has asyncio's loop await an object. `cancelAwait` cancels that. */
  beginAwait(object: object): { promise: Promise<unknown>; awaited: object };
  cancelAwait(awaited: object): void;
  /** False, too, for what is disposed, or no PyObject. */
  isAwaitable(object: object): boolean;
  isAsyncIterable(object: object): boolean;

  /**
   * Makes a Python object for the array in a capsule. `descr` (a Python expression) and `format`
   * (PEP 3118's) describe a record; both are null for other dtypes. `typestr` is that of elements whose
   * bytes are in the capsule, along a last axis.
   */
  toPython(
    capsule: ArrayCapsule,
    readOnly: boolean,
    descr: string | null,
    format: string | null,
    typestr: string | null,
  ): object;

  /**
   * What a backend reads in place of an object: an object with a dict, a capsule, or a column, which
   * must be described first. `protocol` is the backend's: 0 for CUDA, 1 for SYCL, any other number for the host.
   */
  produce(object: object, protocol: number): Produced | Column;
  /** Copies memory of this process. Null if it cannot be read. */
  readMemory(address: bigint, byteLength: number): Uint8Array<ArrayBuffer> | null;
  /** Makes a capsule of an object's array. */
  capsule(object: object): ArrayCapsule;
  /** Makes a new capsule of a queue or context. */
  syclCapsule(place: object): SyclCapsule;
}

let found: LoadedAddon<Addon> | null = null;

/** Returns the addon, or the reason why it cannot be loaded. Looks for it once. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'python',
    built: join(dirname(modulePath), '../build/Release/'),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu'],
    require: createRequire(modulePath),
  });
  return found;
}

/** Returns the addon, which is loaded at first use. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the python addon', answer);
}
