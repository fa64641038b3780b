import { addon } from '../addon.js';
import { checkNamed, type NamedArguments } from '../named-arguments.js';

/**
 * A view of a `PyObject` whose methods return a `PyObject` for every value: also for 1.0, 'a' and
 * None, which keep their class so. It shares the object, and ends with it. `Object` is PyObject.
 */
export class RawPyObject<Object> implements Iterable<Object> {
  readonly #object: object;

  /** @internal */
  constructor(object: object) {
    this.#object = object;
  }

  /** Returns the attribute `name`. Throws PythonError. */
  get(name: string): Object {
    return addon().rawGet(this.#object, name) as Object;
  }

  /** Calls the object. Throws PythonError. */
  call(args?: readonly unknown[], kwargs?: NamedArguments): Object {
    return addon().rawCall(this.#object, args, checkNamed(kwargs)) as Object;
  }

  /** Calls the method `name`. Throws PythonError. */
  callMethod(name: string, args?: readonly unknown[], kwargs?: NamedArguments): Object {
    return addon().rawCallMethod(this.#object, name, args, checkNamed(kwargs)) as Object;
  }

  /** Returns `object[key]`; several keys are a tuple. Throws PythonError. */
  getItem(...keys: [key: unknown, ...unknown[]]): Object {
    return addon().rawGetItem(this.#object, ...keys) as Object;
  }

  /** Iterates as Python's `for` does. */
  [Symbol.iterator](): Generator<Object, void, undefined> {
    return iterate(this.#object, addon().rawNext) as Generator<Object, void, undefined>;
  }
}

/** Iterates one value at a time. Leaving the loop early releases the iterator. */
export function* iterate(
  object: object,
  next: (iterator: object) => unknown,
): Generator<unknown, void, undefined> {
  const { iterate, dispose } = addon();
  const iterator = iterate(object);
  try {
    for (let value = next(iterator); value !== undefined; value = next(iterator)) yield value;
  } finally {
    dispose(iterator);
  }
}
