import { tryOr } from '../errors/try-or.js';
import { badArgument, namesIn, readOption, unknownOption } from './argument.js';

/** Throws ERR_ARGUMENT for a value that the option of that name cannot have. */
export type Check = (value: unknown, name: string) => void;

/** The options that a function takes, each with its check. */
export type Checks<Options extends object> = { readonly [Name in keyof Options]-?: Check };

/**
 * Reads each option once, and gives those that are there as an object of our own. Throws ERR_ARGUMENT if
 * `options` is no object, if it has an option that has no check, if reading one throws, and as the checks do.
 */
export function readOptions<Options extends object>(
  options: Options,
  checks: Readonly<Record<string, Check>>,
): Options {
  const given = namesIn(options);
  for (const name of given) {
    if (!Object.hasOwn(checks, name)) throw unknownOption(name, Object.keys(checks));
  }
  const read: Record<string, unknown> = {};
  // Others may inherit options. Asking every object for all of them takes as long as a small copy.
  for (const name of isPlain(options) ? given : Object.keys(checks)) {
    const value = readOption(options as Record<string, unknown>, name);
    if (value === undefined) continue;
    checks[name]?.(value, name);
    read[name] = value;
  }
  return read as Options;
}

function isPlain(options: object): boolean {
  return tryOr(() => Object.getPrototypeOf(options) === Object.prototype, false);
}

/** A check that takes what `fits`; `expected` says in an error what that is. */
export function checkThat(fits: (value: unknown) => boolean, expected: string): Check {
  return (value, name) => {
    // What a proxy throws when it is looked at is no error of ours.
    if (!tryOr(() => fits(value), false)) throw badArgument(name, expected, value);
  };
}

/** A check that takes one of a few names. */
export function checkOneOf(...names: readonly string[]): Check {
  return checkThat((value) => names.includes(value as string), `one of ${names.join(', ')}`);
}

/** Takes everything: the function that uses the option checks it, with what it knows then. */
export const unchecked: Check = () => {};

/** Takes a boolean. */
export const checkFlag: Check = checkThat((value) => typeof value === 'boolean', 'true or false');

/** Takes an integer of at least 0. The backend knows how many devices there are. */
export const checkDeviceIndex: Check = checkThat(
  (value) => isSafeInteger(value) && value >= 0,
  'the index of a device, which devices() lists',
);

/** Takes an integer of at least 0. */
export const checkByteCount: Check = checkThat(
  (value) => isSafeInteger(value) && value >= 0,
  'a number of bytes, a safe integer of at least 0',
);

/** Takes an AbortSignal, of another realm or of a polyfill too. */
export const checkSignal: Check = checkThat((value) => {
  const { aborted, addEventListener, removeEventListener } = value as AbortSignal;
  const functions = [addEventListener, removeEventListener];
  return typeof aborted === 'boolean' && functions.every((one) => typeof one === 'function');
}, 'an AbortSignal');

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
