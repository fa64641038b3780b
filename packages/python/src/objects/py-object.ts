import { inspect } from 'node:util';
import type { ArrayInterfaceError, ArrayProducer } from '@array-interface/core';
import { type ArrayProxy, checkFlag, checkThat } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import { standForArrays } from '../into-javascript.js';
import { checkNamed, type NamedArguments } from '../named-arguments.js';
import { readOwnOptions } from '../own-options.js';
import { standForPromises } from './await.js';
import { leave } from './context-manager.js';
import { guarded } from './guarded.js';
import { addOperators, type Operators } from './operators.js';
import { unproxied } from './proxied.js';
import { iterate, RawPyObject } from './raw.js';

/** Characters of a `repr` that are shown. */
const SHOWN = 200;
/** Number of arguments that native code takes one by one. */
const FEW = 4;

/** Options of `PyObject.toJS`. */
export interface ToJSOptions {
  /**
   * Levels of containers that are copied: 0 copies none, 1 the object itself, with elements as
   * `get` returns them. Default: all.
   */
  readonly depth?: number;
  /** True if every mapping becomes a `Map`. Default: only one with a key that is no text. */
  readonly maps?: boolean;
}

const isDepth = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const CHECKS = { depth: checkThat(isDepth, 'an integer from 0'), maps: checkFlag };

/**
 * A Python object in JavaScript. None, bool, int, float, str, bytes and `numpy.bool` are converted,
 * unless they are of a subclass; every other value is a `PyObject`, and is passed back as the same
 * Python object. One that crosses twice is two `PyObject`s, which `is` compares.
 *
 * It keeps the Python object until it is disposed or collected; any use after disposal throws
 * ERR_DISPOSED. All methods run Python on this thread, block until it returns, and throw
 * `PythonError` for a Python exception. A type argument `T` is the caller's claim, and not checked.
 *
 * Where JavaScript asks for a primitive (`+`, `<`, `Math.max`), an int, float or str has its value,
 * of a subclass too, and so has a scalar of NumPy, or an array without axes. Any other object
 * throws ERR_TYPE there. `String(object)` is always `str(object)`. Assigning a property throws.
 *
 * @example
 * ```ts
 * import { startPython } from '@array-interface/python';
 *
 * const python = startPython();
 * using fraction = python.eval("__import__('fractions').Fraction(1, 3)");
 * console.log(fraction.get('denominator'), String(fraction)); // 3 1/3
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: types of computed names come from interfaces alone
export class PyObject implements Disposable, Iterable<PyObject> {
  private constructor() {}

  /** Returns the attribute `name`. Throws PythonError (`AttributeError`) if there is none. */
  get<T = PyObject>(name: string): T {
    return addon().get(this, name) as T;
  }

  /** Sets the attribute `name`. Throws PythonError. */
  set(name: string, value: unknown): void {
    addon().set(this, name, value);
  }

  /** Returns whether the object has an attribute `name`. */
  has(name: string): boolean {
    return addon().has(this, name);
  }

  /** Deletes the attribute `name`. Throws PythonError. */
  delete(name: string): void {
    addon().delete(this, name);
  }

  /**
   * Calls the object, with the arguments `args` and the keyword arguments `kwargs`. Throws
   * PythonError if it raises.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * python.exec('def power(base, exponent=2): return base ** exponent');
   * using power = python.eval('power');
   * console.log(power.call([3])); // 9
   * console.log(power.call([2], { exponent: 10 })); // 1024
   * ```
   */
  call<T = PyObject>(args?: readonly unknown[], kwargs?: NamedArguments): T {
    if (areFew(args, kwargs)) return addon().callFew(this, ...args) as T;
    return addon().call(this, args, checkNamed(kwargs)) as T;
  }

  /**
   * Calls the method `name`, with the arguments `args` and the keyword arguments `kwargs`. Throws
   * PythonError if it raises.
   */
  callMethod<T = PyObject>(name: string, args?: readonly unknown[], kwargs?: NamedArguments): T {
    if (areFew(args, kwargs)) return addon().callMethodFew(this, name, ...args) as T;
    return addon().callMethod(this, name, args, checkNamed(kwargs)) as T;
  }

  /**
   * Returns `object[key]`. Several keys are a tuple, as commas in Python's brackets are:
   * `getItem(0, 1)` is `object[0, 1]`, and `getItem([0, 1])` is `object[[0, 1]]`. Throws
   * PythonError.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using letters = python.eval("{('a', 1): 'one', 'b': [10, 20, 30]}");
   * console.log(letters.getItem('a', 1)); // one
   * console.log(letters.getItem('b').getItem(python.slice(1, 3)).toJS()); // [ 20, 30 ]
   * ```
   */
  getItem<T = PyObject>(...keys: [key: unknown, ...unknown[]]): T {
    return addon().getItem(this, ...keys) as T;
  }

  /** Runs `object[key] = value`: the last argument is the value. Throws PythonError. */
  setItem(...keysAndValue: [key: unknown, valueOrKey: unknown, ...unknown[]]): void {
    addon().setItem(this, ...keysAndValue);
  }

  /** Runs `del object[key]`. Throws PythonError. */
  deleteItem(...keys: [key: unknown, ...unknown[]]): void {
    addon().deleteItem(this, ...keys);
  }

  /** Returns whether `value in object`. Throws PythonError. */
  contains(value: unknown): boolean {
    return addon().contains(this, value);
  }

  /** The result of `len(object)`. Throws PythonError if the object has no length. */
  get length(): number {
    return addon().length(this);
  }

  /** Returns whether `other` is the same Python object. */
  is(other: unknown): boolean {
    return addon().is(this, unproxied(other));
  }

  /** Returns `bool(object)`. In JavaScript's own conditions every object is true. */
  isTrue(): boolean {
    return addon().isTrue(this);
  }

  /**
   * Copies the object to JavaScript values: lists and tuples to arrays, sets to a `Set`, mappings
   * to an object or a `Map`, other iterables and what has `tolist` to arrays, a `datetime` with a
   * zone to a `Date`. An iterator is used up by it.
   *
   * Throws ERR_TYPE, with its path, for what JavaScript has no value for; ERR_OVERFLOW; ERR_ARGUMENT.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using rows = python.eval("[('tea', 3), ('jam', 2)]");
   * console.log(rows.toJS()); // [ [ 'tea', 3 ], [ 'jam', 2 ] ]
   * console.log(rows.toJS({ depth: 1 })); // [ PyObject ('tea', 3), PyObject ('jam', 2) ]
   * ```
   */
  toJS<T = unknown>(options: ToJSOptions = {}): T {
    const { depth, maps } = readOwnOptions(options, CHECKS);
    const levels = depth === undefined ? undefined : Math.min(depth, 2 ** 32 - 1);
    return addon().toJS(this, levels, maps) as T;
  }

  /**
   * The same object, with methods that return a `PyObject` for every value.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using row = python.eval("[1.0, 'a']");
   * console.log(row.getItem(0), row.raw.getItem(0)); // 1 PyObject 1.0
   * ```
   */
  get raw(): RawPyObject<PyObject> {
    return new RawPyObject(this);
  }

  /**
   * Iterates as Python's `for` does, one value at a time. Leaving the loop early releases the
   * iterator.
   */
  iterate<T = PyObject>(): Generator<T, void, undefined> {
    return iterate(this, addon().next) as Generator<T, void, undefined>;
  }

  /** The same as `iterate`. */
  [Symbol.iterator](): Generator<PyObject, void, undefined> {
    return this.iterate();
  }

  /** For JavaScript's operators. Throws ERR_TYPE for an object that is no number and no text. */
  [Symbol.toPrimitive](hint: string): string | number | bigint | boolean {
    return hint === 'string' ? this.toString() : addon().primitive(this);
  }

  /**
   * For `JSON.stringify`: what `toJS` returns, with dates as text. Throws ERR_TYPE, with its path,
   * for what JSON lacks: bytes, sets, keys that are no text, an int beyond 2^53 - 1.
   */
  toJSON(): unknown {
    return addon().toJson(this);
  }

  /** Returns the result of `str()`. */
  toString(): string {
    return addon().str(this);
  }

  /**
   * Releases the Python object now. Does nothing if it was released before. The object of
   * `Python.enter` leaves its context manager first, and throws what that raises.
   */
  dispose(): void {
    try {
      leave(this);
    } finally {
      addon().dispose(this);
    }
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
    addOperators(PyObject.prototype);
    standForPromises(PyObject.prototype);
    // An assignment to an object is an error: to a name of these by the freeze, to others by the guard.
    Object.setPrototypeOf(PyObject.prototype, guarded());
    Object.freeze(PyObject.prototype);
  }
}

/** True if a call can take the shorter path, in which native code reads no array. */
function areFew(args: unknown, kwargs: unknown): args is readonly unknown[] {
  return kwargs === undefined && Array.isArray(args) && args.length <= FEW;
}

/** Python's operators, and the symbols by which backends and addons read its array, if it is one. */
export interface PyObject extends ArrayProxy, ArrayProducer, Operators<PyObject> {}

function represent(object: PyObject): string {
  try {
    const text = addon().repr(object);
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  } catch (error) {
    return `(${(error as ArrayInterfaceError).reason})`;
  }
}
