import { inspect } from 'node:util';
import type { ArrayInterfaceError, ArrayProducer } from '@array-interface/core';
import type { ArrayProxy } from '@array-interface/core/backend';
import { addon } from './addon.js';
import { standForArrays } from './into-javascript.js';
import { checkNamed } from './named-arguments.js';

/** Characters of a `repr` that are shown. */
const SHOWN = 200;
/** Number of arguments that native code takes one by one. */
const FEW = 4;

/**
 * A Python object in JavaScript. Plain values are converted; every other value is a `PyObject`. The
 * same Python object crossing twice makes two of them, which `is` compares.
 *
 * It keeps the Python object until it is disposed or collected; any use after disposal throws
 * ERR_DISPOSED. All methods run Python on this thread, block until it returns, and throw
 * `PythonError` for a Python exception.
 *
 * @example
 * ```ts
 * import { type PyObject, startPython } from '@array-interface/python';
 *
 * const python = startPython();
 * using fraction = python.eval("__import__('fractions').Fraction(1, 3)") as PyObject;
 * console.log(fraction.get('denominator'), String(fraction)); // 3 1/3
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: types of computed names come from interfaces alone
export class PyObject implements Disposable, Iterable<unknown> {
  private constructor() {}

  /** Returns the attribute `name`. Throws PythonError (`AttributeError`) if there is none. */
  get(name: string): unknown {
    return addon().get(this, name);
  }

  /** Sets the attribute `name`. Throws PythonError. */
  set(name: string, value: unknown): void {
    addon().set(this, name, value);
  }

  /** Returns whether the object has an attribute `name`. */
  has(name: string): boolean {
    return addon().has(this, name);
  }

  /**
   * Calls the object, with the arguments `args` and the keyword arguments `kwargs`. Throws
   * PythonError if it raises.
   *
   * @example
   * ```ts
   * import { type PyObject, startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * python.exec('def power(base, exponent=2): return base ** exponent');
   * using power = python.eval('power') as PyObject;
   * console.log(power.call([3])); // 9
   * console.log(power.call([2], { exponent: 10 })); // 1024
   * ```
   */
  call(args?: readonly unknown[], kwargs?: Readonly<Record<string, unknown>>): unknown {
    if (areFew(args, kwargs)) return addon().callFew(this, ...args);
    return addon().call(this, args, checkNamed(kwargs));
  }

  /**
   * Calls the method `name`, with the arguments `args` and the keyword arguments `kwargs`. Throws
   * PythonError if it raises.
   */
  callMethod(
    name: string,
    args?: readonly unknown[],
    kwargs?: Readonly<Record<string, unknown>>,
  ): unknown {
    if (areFew(args, kwargs)) return addon().callMethodFew(this, name, ...args);
    return addon().callMethod(this, name, args, checkNamed(kwargs));
  }

  /**
   * Returns `object[key]`. An array is a tuple: `item([0, 1])` is `object[0, 1]`. Throws
   * PythonError.
   */
  item(key: unknown): unknown {
    return addon().item(this, key);
  }

  /** Runs `object[key] = value`. Throws PythonError. */
  setItem(key: unknown, value: unknown): void {
    addon().setItem(this, key, value);
  }

  /** The result of `len(object)`. Throws PythonError if the object has no length. */
  get length(): number {
    return addon().length(this);
  }

  /** Returns whether `other` is the same Python object. */
  is(other: unknown): boolean {
    return addon().is(this, other);
  }

  /**
   * Converts the whole object to JavaScript values, as a copy: plain values, sets, mappings,
   * iterables, and everything with `tolist`. Throws ERR_TYPE for anything else, with its path.
   */
  toJS(): unknown {
    return addon().toWhole(this);
  }

  /**
   * Iterates as Python's `for` does, one value at a time. Leaving the loop early releases the
   * iterator.
   */
  *[Symbol.iterator](): Generator<unknown, void, undefined> {
    const { iterate, next, dispose } = addon();
    const iterator = iterate(this);
    try {
      for (let value = next(iterator); value !== undefined; value = next(iterator)) yield value;
    } finally {
      dispose(iterator);
    }
  }

  /** Returns the result of `str()`. */
  toString(): string {
    return addon().str(this);
  }

  /** Releases the Python object now. Does nothing if it was released before. */
  dispose(): void {
    addon().dispose(this);
  }

  /** Does what `dispose` does, at the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  static {
    // For `console.log`: the result of `repr()`, shortened.
    const value = function (this: PyObject): string {
      return `PyObject ${represent(this)}`;
    };
    Object.defineProperty(PyObject.prototype, inspect.custom, { value });
    standForArrays(PyObject.prototype);
  }
}

/** True if a call can take the shorter path, in which native code reads no array. */
function areFew(args: unknown, kwargs: unknown): args is readonly unknown[] {
  return kwargs === undefined && Array.isArray(args) && args.length <= FEW;
}

/** The symbols by which backends and addons read its array, if it is one. */
export interface PyObject extends ArrayProxy, ArrayProducer {}

function represent(object: PyObject): string {
  try {
    const text = addon().repr(object);
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  } catch (error) {
    return `(${(error as ArrayInterfaceError).reason})`;
  }
}
