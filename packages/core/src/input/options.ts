import { withFallback } from '../errors/with-fallback.js';
import { badArgument, namesIn, readOption, unknownOption } from './argument.js';

/** Throws ERR_ARGUMENT for a value that the option of that name does not accept. */
export type Check = (value: unknown, name: string) => void;

/** The options that a function accepts, each with its check. */
export type Checks<Options extends object> = { readonly [Name in keyof Options]-?: Check };

/**
 * Reads each option once, and returns those that are present as a new object. Throws ERR_ARGUMENT
 * if `options` is not an object, if an option has no check, if reading one throws, and as the
 * checks do.
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
  // Other objects may inherit options. Reading all of them from every object takes as long as a
  // small copy.
  for (const name of isPlain(options) ? given : Object.keys(checks)) {
    const value = readOption(options as Record<string, unknown>, name);
    if (value === undefined) continue;
    checks[name]?.(value, name);
    read[name] = value;
  }
  return read as Options;
}

function isPlain(options: object): boolean {
  return withFallback(() => Object.getPrototypeOf(options) === Object.prototype, false);
}

/**
 * Returns a check that accepts values for which `fits` returns true. `expected` describes them in
 * errors.
 */
export function checkThat(fits: (value: unknown) => boolean, expected: string): Check {
  return (value, name) => {
    // An exception of a proxy under inspection is not an error of this library.
    if (!withFallback(() => fits(value), false)) throw badArgument(name, expected, value);
  };
}

/** Returns a check that accepts one of a few names. */
export function checkOneOf(...names: readonly string[]): Check {
  return checkThat((value) => names.includes(value as string), `one of ${names.join(', ')}`);
}

/** Accepts everything: the function that uses the option checks it, with what it knows by then. */
export const unchecked: Check = () => {};

/** Accepts a boolean. */
export const checkFlag: Check = /* @__PURE__ */ checkThat(
  (value) => typeof value === 'boolean',
  'true or false',
);

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/** Accepts a non-negative integer. The backend checks that the device exists. */
export const checkDeviceIndex: Check = /* @__PURE__ */ checkThat(
  isCount,
  'the index of a device in devices()',
);

/** Accepts a non-negative integer. */
export const checkByteCount: Check = /* @__PURE__ */ checkThat(
  isCount,
  'a number of bytes: a safe integer of 0 or more',
);

/** Accepts an AbortSignal, including one of another realm or of a polyfill. */
export const checkSignal: Check = /* @__PURE__ */ checkThat((value) => {
  const { aborted, addEventListener, removeEventListener } = value as AbortSignal;
  const functions = [addEventListener, removeEventListener];
  return typeof aborted === 'boolean' && functions.every((one) => typeof one === 'function');
}, 'an AbortSignal');
