import { types } from 'node:util';
import type { ArrayProducer } from '@array-interface/core';
import { arrayCapsule } from '@array-interface/core/backend';
import { toPython } from './into-python.js';
import { isPlain } from './named-arguments.js';
import { proxiedBy } from './objects/proxied.js';

// Functions with which native code takes JavaScript objects apart, and builds them.

const { defineProperty, hasOwn, keys } = Object;

/**
 * An object's kind and contents, also of an object of another realm: `['dict', key, value, …]` for
 * a plain object or a Map, `['set', member, …]` for a Set, `['list', element, …]` for a Proxy of an
 * array, `['value', one]` for what another value stands for, `['object', one]` for a PyObject that was
 * made for it, and is disposed of once it is read. For one that Python has no value for:
 * `['refused', description, advice]`.
 */
export function entriesOf(value: object): unknown[] {
  const entries: unknown[] = ['dict'];
  if (types.isMap(value)) {
    for (const [key, one] of value) entries.push(key, one);
    return entries;
  }
  if (types.isSet(value)) return ['set', ...value];
  if (types.isSharedArrayBuffer(value)) return ['value', new Uint8Array(value)];
  if (Array.isArray(value)) return ['list', ...value];
  if (hasCapsule(value)) return ['object', toPython(value)];
  if (!isPlain(value)) return ['refused', ...refusalOf(value)];
  for (const key of keys(value)) entries.push(key, (value as Record<string, unknown>)[key]);
  return entries;
}

/** The PyObject of a proxy; for any other function its name, which may be a getter. */
export function calleeOf(value: object): object | string {
  const object = proxiedBy(value);
  if (object !== undefined) return object;
  const { name } = value as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? name : '<anonymous>';
}

/** True for an array of a backend, or of an addon. */
function hasCapsule(value: object): value is ArrayProducer {
  return typeof (value as Partial<ArrayProducer>)[arrayCapsule] === 'function';
}

function refusalOf(value: object): [description: string, advice: string] {
  if (types.isPromise(value)) return ['a promise', 'await it first'];
  if (typeof (value as Partial<Iterator<unknown>>).next === 'function') {
    return ['an iterator', 'pass [...it]'];
  }
  const { name } = value.constructor ?? {};
  const isNamed = typeof name === 'string' && name !== '';
  return [isNamed ? `an object of the class ${name}` : 'an object', 'convert it first'];
}

// Keys that Python tells apart may be one key here: two that are NaN, or texts of classes that compare
// otherwise. The next two return undefined rather than drop a value.

/** Makes a plain object. A key such as `__proto__` becomes an own property. */
export function objectOf(names: readonly string[], values: readonly unknown[]): object | undefined {
  const made: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const value = values[i];
    if (name in made) {
      if (hasOwn(made, name)) return undefined;
      defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true });
    } else {
      made[name] = value;
    }
  }
  return made;
}

export function mapOf(
  keys: readonly unknown[],
  values: readonly unknown[],
): Map<unknown, unknown> | undefined {
  const made = new Map<unknown, unknown>();
  for (let i = 0; i < keys.length; i++) made.set(keys[i], values[i]);
  return made.size === keys.length ? made : undefined;
}

export function setOf(members: readonly unknown[]): Set<unknown> {
  return new Set(members);
}

/** Throws if there is no memory. */
export function bytesOf(length: number): Uint8Array {
  return new Uint8Array(length);
}
