import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';
import { isPlain } from './builders.js';

/** Keyword arguments, by name. */
export type NamedArguments = Readonly<Record<string, unknown>>;

/** Whether it is a plain object. What a Map, a Set or an object of Python's holds has no names here. */
export function areNamed(value: unknown): value is NamedArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value);
}

/** Throws ERR_TYPE for what is neither a plain object nor nothing: it would call with no arguments. */
export function checkNamed<T>(kwargs: T): T {
  if (kwargs === undefined || kwargs === null || areNamed(kwargs)) return kwargs;
  throw new ArrayInterfaceError(
    'ERR_TYPE',
    'kwargs',
    `expected a plain object of keyword arguments, got ${show(kwargs)}; pass { name: value }`,
  );
}
