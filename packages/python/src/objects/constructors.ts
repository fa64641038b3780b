import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import { isPlain } from '../named-arguments.js';
import { PyObject } from './py-object.js';

/** What becomes a tuple, a list or a set: Python's iterables, and JavaScript's. */
export type Values = Iterable<unknown> | PyObject;

/** What becomes a dict. */
export type Entries =
  | Readonly<Record<string, unknown>>
  | ReadonlyMap<unknown, unknown>
  | Iterable<readonly [key: unknown, value: unknown]>
  | PyObject;

/** Calls a built-in class of Python's. */
export function construct(name: string, ...args: readonly unknown[]): PyObject {
  return addon().construct(name, ...args) as PyObject;
}

/** Implements `Python.int`. */
export function makeInt(value: number | bigint | string | PyObject): PyObject {
  if (typeof value !== 'number') return construct('int', need('int', value));
  if (Number.isInteger(value)) return construct('int', BigInt(value));
  throw refused('ERR_ARGUMENT', 'an integer', value, 'round it, or pass it to float');
}

/** Implements `Python.float`. */
export function makeFloat(value: number | bigint | string | PyObject): PyObject {
  return construct('float', need('float', value));
}

/** Implements `Python.bytes`. */
export function makeBytes(data: unknown): PyObject {
  if (typeof data === 'string') {
    throw refused('ERR_TYPE', 'bytes', data, 'pass new TextEncoder().encode(text)');
  }
  const isMemory = ArrayBuffer.isView(data) || isBuffer(data) || data instanceof PyObject;
  return construct('bytes', isMemory ? data : listed(data as Values));
}

/** Implements `Python.tuple` and `Python.list`. */
export function makeSequence(name: 'tuple' | 'list', values?: Values): PyObject {
  return values === undefined ? construct(name) : construct(name, listed(values));
}

/** Implements `Python.set`. */
export function makeSet(values?: Values): PyObject {
  if (values === undefined || values instanceof PyObject) return makeOf('set', values);
  return construct('set', new Set(listed(values) as Iterable<unknown>));
}

/** Implements `Python.dict`. */
export function makeDict(entries?: Entries): PyObject {
  if (entries === undefined || entries instanceof PyObject) return makeOf('dict', entries);
  const isRecord = typeof entries === 'object' && entries !== null && isPlain(entries);
  if (isRecord && !(Symbol.iterator in entries)) return construct('dict', entries);
  return construct('dict', new Map(listed(entries as Values) as Iterable<[unknown, unknown]>));
}

function makeOf(name: string, value: PyObject | undefined): PyObject {
  return value === undefined ? construct(name) : construct(name, value);
}

/** A PyObject as it is, and the values of an iterable in a list. */
function listed(values: Values): unknown {
  if (values instanceof PyObject) return values;
  const isIterable = typeof Object(values)[Symbol.iterator] === 'function';
  if (values !== null && isIterable) return [...values];
  throw refused('ERR_TYPE', 'an iterable or a PyObject', values, 'put the values in an array');
}

function need<T>(name: string, value: T): T {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (isNumber || typeof value === 'string' || value instanceof PyObject) return value;
  throw refused('ERR_TYPE', 'a number, a bigint, a text or a PyObject', value, `${name} takes one`);
}

function isBuffer(value: unknown): boolean {
  return /\[object (Shared)?ArrayBuffer\]/.test(Object.prototype.toString.call(value));
}

function refused(
  code: 'ERR_TYPE' | 'ERR_ARGUMENT',
  expected: string,
  got: unknown,
  advice: string,
): ArrayInterfaceError {
  const message = `expected ${expected}, got ${show(got)}; ${advice}`;
  return new ArrayInterfaceError(code, 'value', message);
}
