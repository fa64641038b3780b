import { inspect } from 'node:util';
import type { ArrayProducer } from '@array-interface/core';
import type { ArrayProxy } from '@array-interface/core/backend';
import { addon } from './addon.js';
import { standForArrays } from './into-javascript.js';
import { checkNamed } from './named-arguments.js';

/** Characters of a `repr` that are shown. */
const SHOWN = 200;
/** Arguments that native code takes one by one. */
const FEW = 4;

/**
 * An object of Python's. Plain values cross by value; anything else is one of these. The same
 * Python object twice gives two of these; `is` tells. It keeps the Python object until it is
 * disposed or collected. Used after that, it throws ERR_DISPOSED. All methods run Python on this
 * thread and wait for it, and throw `PythonError` for Python's exceptions.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: types of computed names come from interfaces alone
export class PyObject implements Disposable, Iterable<unknown> {
  private constructor() {}

  /** The attribute `name`. Throws PythonError (`AttributeError`) without one. */
  get(name: string): unknown {
    return addon().get(this, name);
  }

  /** Sets the attribute `name`. */
  set(name: string, value: unknown): void {
    addon().set(this, name, value);
  }

  /** Whether there is an attribute `name`. */
  has(name: string): boolean {
    return addon().has(this, name);
  }

  /** Calls it: with the arguments `args`, and those of `kwargs` by name. */
  call(args?: readonly unknown[], kwargs?: Readonly<Record<string, unknown>>): unknown {
    if (areFew(args, kwargs)) return addon().callFew(this, ...args);
    return addon().call(this, args, checkNamed(kwargs));
  }

  /** Calls its method `name`. */
  callMethod(
    name: string,
    args?: readonly unknown[],
    kwargs?: Readonly<Record<string, unknown>>,
  ): unknown {
    if (areFew(args, kwargs)) return addon().callMethodFew(this, name, ...args);
    return addon().callMethod(this, name, args, checkNamed(kwargs));
  }

  /** `object[key]`. An array is a tuple: `item([0, 1])` is `object[0, 1]`. */
  item(key: unknown): unknown {
    return addon().item(this, key);
  }

  /** `object[key] = value`. */
  setItem(key: unknown, value: unknown): void {
    addon().setItem(this, key, value);
  }

  /** `len(object)`. */
  get length(): number {
    return addon().length(this);
  }

  /** Whether `other` is the same Python object. */
  is(other: unknown): boolean {
    return addon().is(this, other);
  }

  /**
   * All of it by value, a copy: what crosses by value, and sets, mappings, what has `tolist` and
   * iterables. Throws ERR_TYPE for anything else, with the path of it.
   */
  toJS(): unknown {
    return addon().toWhole(this);
  }

  /** Iterates as `for` of Python does, one value at a time. Leaving early drops the iterator. */
  *[Symbol.iterator](): Generator<unknown, void, undefined> {
    const { iterate, next, dispose } = addon();
    const iterator = iterate(this);
    try {
      for (let value = next(iterator); value !== undefined; value = next(iterator)) yield value;
    } finally {
      dispose(iterator);
    }
  }

  /** What `str()` says. */
  toString(): string {
    return addon().str(this);
  }

  /** Lets go of the Python object now. Again, it does nothing. */
  [Symbol.dispose](): void {
    addon().dispose(this);
  }

  static {
    // For `console.log`: what `repr()` says, shortened.
    const value = function (this: PyObject): string {
      return `PyObject ${represent(this)}`;
    };
    Object.defineProperty(PyObject.prototype, inspect.custom, { value });
    standForArrays(PyObject.prototype);
  }
}

/** Whether a call goes the shorter way, for which native code reads no array. */
function areFew(args: unknown, kwargs: unknown): args is readonly unknown[] {
  return kwargs === undefined && Array.isArray(args) && args.length <= FEW;
}

/** What backends and addons read its array by, where it is one. */
export interface PyObject extends ArrayProxy, ArrayProducer {}

function represent(object: PyObject): string {
  try {
    const text = addon().repr(object);
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  } catch (error) {
    return `(${(error as Error).message})`;
  }
}
