import { attempt } from '../errors/attempt.js';
import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { isInstance } from './is-instance.js';

/** Throws ERR_ARGUMENT for a value that the option of that name cannot have. */
export type Check = (value: unknown, name: string) => void;

/** The options that a function takes, each with its check. */
export type Checks<Options extends object> = { readonly [Name in keyof Options]-?: Check };

/**
 * Reads each option once, and gives those that are there as an object of our own. Throws ERR_ARGUMENT if
 * `options` is no object, if an option is in no table, if reading one throws, and as the checks do.
 */
export function readOptions<Options extends object>(
  options: Options,
  ...tables: readonly (Readonly<Record<string, Check>> | undefined)[]
): Options {
  checkOptions(options, ...tables.map((table) => table && Object.keys(table)));
  const read: Record<string, unknown> = {};
  for (const table of tables) {
    for (const [name, check] of Object.entries(table ?? {})) {
      const value = readOption(options as Record<string, unknown>, name);
      if (value === undefined) continue;
      check(value, name);
      read[name] = value;
    }
  }
  return read as Options;
}

/** For an option that is read, and checked, by what it is given to. */
export const anything: Check = () => {};

/** For an option that is on or off. */
export const flag: Check = (value, name) => {
  if (typeof value !== 'boolean') throw badArgument(name, 'true or false', value);
};

/** For an integer that JavaScript represents exactly, of at least 0. */
export const natural: Check = (value, name) => {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw badArgument(name, 'an integer of at least 0', value);
};

/** For a number of bytes of which there is at least one. */
export const byteCount: Check = (value, name) => {
  if (Number.isSafeInteger(value) && (value as number) > 0) return;
  throw badArgument(name, 'a number of bytes, at least 1', value);
};

/** For a name, of which the backend knows what it means. */
export const text: Check = (value, name) => {
  if (typeof value !== 'string') throw badArgument(name, 'a name', value);
};

/** For a function that is called. */
export const listener: Check = (value, name) => {
  if (typeof value !== 'function') throw badArgument(name, 'a function', value);
};

/** For one of a few names. */
export function oneOf(...names: readonly string[]): Check {
  return (value, name) => {
    if (!names.includes(value as string)) {
      throw badArgument(name, `one of ${names.join(', ')}`, value);
    }
  };
}

/** For an object of a class, which `expected` names in an error. */
export function instanceOf(type: abstract new (...args: never) => object, expected: string): Check {
  return (value, name) => {
    if (!isInstance(value, type)) throw badArgument(name, expected, value);
  };
}

/** For what ends a wait: an AbortSignal, of another realm too. */
export const signal: Check = (value, name) => {
  const isSignal = attempt(() => {
    const { aborted, addEventListener, throwIfAborted } = value as AbortSignal;
    const functions = [addEventListener, throwIfAborted];
    return typeof aborted === 'boolean' && functions.every((one) => typeof one === 'function');
  }, false);
  if (!isSignal) throw badArgument(name, 'an AbortSignal', value);
};
