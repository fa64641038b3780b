import { inspect } from 'node:util';
import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';
import { checkNamed, type NamedArguments } from '../named-arguments.js';
import { noteProxy, proxiedBy } from './proxied.js';
import { PyObject } from './py-object.js';

/**
 * A Python object as `Python.proxy` returns it: Python's attributes are its properties, and it can be
 * called. Types of properties are not known, hence `any`; `proxy<T>` takes an interface of yours.
 *
 * `$name` is what `name` is of the PyObject, with proxies in place of objects: `$getItem('x')`,
 * `$length`, `$add(1)`, `$toJS()`. No name of Python's has a `$`.
 */
export interface Proxied {
  /** Calls the object; `Python.kwargs` may be the last argument. */
  // biome-ignore lint/suspicious/noExplicitAny: only Python knows
  (...args: readonly unknown[]): any;
  /** An attribute, or with a `$` what PyObject has. */
  // biome-ignore lint/suspicious/noExplicitAny: only Python knows
  [name: string]: any;
  /** The item `object[index]`. */
  // biome-ignore lint/suspicious/noExplicitAny: only Python knows
  [index: number]: any;
  /** The PyObject itself. */
  readonly $object: PyObject;
  /** Releases the Python object, as `PyObject.dispose` does. */
  [Symbol.dispose](): void;
  /** Iterates as Python's `for` does, over proxies and values. */
  // biome-ignore lint/suspicious/noExplicitAny: only Python knows
  [Symbol.iterator](): Iterator<any>;
}

/** Keyword arguments of a call of a proxy, as `Python.kwargs` makes them. */
export class Keywords {
  /** @internal */
  readonly values: NamedArguments;

  /** @internal */
  constructor(values: NamedArguments) {
    this.values = checkNamed(values);
  }
}

/** Names that JavaScript itself asks for. Python's attributes of these names are `$get(name)`. */
const JAVASCRIPTS: readonly PropertyKey[] = ['then', 'toJSON', 'toString'];
const INDEX = /^(0|-?[1-9]\d{0,15})$/;

/** Implements `Python.proxy`. */
export function makeProxy(object: PyObject | Proxied): Proxied {
  if (proxiedBy(object) !== undefined) return object as Proxied;
  if (object instanceof PyObject) return proxyOf(object);
  const message = `expected a PyObject, got ${show(object)}; pass one that Python returned`;
  throw new ArrayInterfaceError('ERR_TYPE', 'object', message);
}

/** A proxy's target is a function, since only then it can be called; nothing reads it but inspect. */
function proxyOf(object: PyObject): Proxied {
  const target = Object.assign(() => undefined, {
    [inspect.custom]: () => (object as { [inspect.custom]?(): string })[inspect.custom]?.(),
  });
  const proxy = new Proxy(target, handlerOf(object)) as unknown as Proxied;
  noteProxy(proxy, object);
  return proxy;
}

function handlerOf(object: PyObject): ProxyHandler<object> {
  return {
    apply: (_, __, args) => {
      const last = args.at(-1);
      if (!(last instanceof Keywords)) return proxied(object.call(args));
      return proxied(object.call(args.slice(0, -1), last.values));
    },
    get: (_, name) => {
      const own = ownName(name);
      if (own !== null) return propertyOf(object, own);
      const index = indexOf(name);
      return proxied(index === null ? object.get(name as string) : object.getItem(index));
    },
    set: (_, name, value) => {
      const own = ownName(name);
      if (own !== null) return Reflect.set(object, own, value); // PyObject refuses it
      const index = indexOf(name);
      if (index === null) object.set(name as string, value);
      else object.setItem(index, value);
      return true;
    },
    deleteProperty: (_, name) => {
      const index = indexOf(name);
      if (index === null) object.delete(String(name));
      else object.deleteItem(index);
      return true;
    },
    has: (_, name) => {
      const own = ownName(name);
      return own === null ? object.has(name as string) : own in object;
    },
    ownKeys: () => [...new Set(object.callMethod<PyObject>('__dir__').toJS<string[]>())],
    defineProperty: () => false,
    getPrototypeOf: () => PyObject.prototype,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  };
}

/** The name that PyObject has for a property, or null for one of Python's. */
function ownName(name: PropertyKey): PropertyKey | null {
  if (typeof name !== 'string' || JAVASCRIPTS.includes(name)) return name;
  return name.startsWith('$') ? name.slice(1) : null;
}

/** The integer of `object[0]`, which JavaScript makes a text, or null. */
function indexOf(name: PropertyKey): number | null {
  return typeof name === 'string' && INDEX.test(name) ? Number(name) : null;
}

/** A property of the PyObject, whose methods give proxies. */
function propertyOf(object: PyObject, name: PropertyKey): unknown {
  if (name === 'object') return object;
  const value: unknown = Reflect.get(object, name, object);
  if (typeof value !== 'function') return value;
  if (name === 'then') return thenOf(value as Parameters<typeof thenOf>[0]);
  if (name === Symbol.iterator || name === 'iterate') return () => iterated(object);
  if (name === Symbol.asyncIterator) return () => asyncIterated(object);
  return (...args: readonly unknown[]) => proxied(Reflect.apply(value, object, args));
}

/** For await: what a coroutine returns is a proxy, too. */
function thenOf(then: (...args: readonly unknown[]) => unknown) {
  type Settle = ((value: unknown) => unknown) | undefined;
  return (resolve: Settle, reject: Settle) =>
    then(resolve && ((value: unknown) => resolve(proxied(value))), reject);
}

function* iterated(object: PyObject): Generator<unknown, void, undefined> {
  for (const value of object) yield proxied(value);
}

async function* asyncIterated(object: PyObject): AsyncGenerator<unknown, void, undefined> {
  for await (const value of object as unknown as AsyncIterable<unknown>) yield proxied(value);
}

/** An object as a proxy; a value as it is. */
function proxied(value: unknown): unknown {
  return value instanceof PyObject && proxiedBy(value) === undefined ? proxyOf(value) : value;
}
