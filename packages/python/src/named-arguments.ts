import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';

const { getPrototypeOf } = Object;

/** Keyword arguments, by name. */
export type NamedArguments = Readonly<Record<string, unknown>>;

/**
 * True for a plain object. The entries of a Map, a Set or a Python object do not count as keyword
 * arguments.
 */
export function areNamed(value: unknown): value is NamedArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value);
}

/**
 * Throws ERR_TYPE unless the argument is a plain object or absent: anything else would call without
 * keyword arguments.
 */
export function checkNamed<T>(kwargs: T): T {
  if (kwargs === undefined || kwargs === null || areNamed(kwargs)) return kwargs;
  throw new ArrayInterfaceError(
    'ERR_TYPE',
    'kwargs',
    `expected a plain object of keyword arguments, got ${show(kwargs)}; pass { name: value }`,
  );
}

/**
 * True for a plain object, also of another realm: its prototype is that realm's Object.prototype.
 */
export function isPlain(value: object): boolean {
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
}
