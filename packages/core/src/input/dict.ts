import { ArrayInterfaceError, isArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { digits, show } from '../errors/show.js';
import { withFallback } from '../errors/with-fallback.js';
import { at, readInteger, readPointer } from './integer.js';

/** The code for an exception that a producer, or a caller's options, threw. */
type ProducerCode = 'ERR_TYPE' | 'ERR_NO_INTERFACE' | 'ERR_ARGUMENT' | 'ERR_KERNEL';

/**
 * Runs a producer's code (a getter, a proxy's trap). Converts whatever it throws, even an
 * `ArrayInterfaceError`, to an error with `code`, with the thrown value as its `cause`.
 */
export function guarded<T>(code: ProducerCode, path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw producerError(code, path, cause);
  }
}

/** `guarded` for code that may call this library: rethrows an `ArrayInterfaceError` unchanged. */
export function asked<T>(code: ProducerCode, path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    // a real one, not an object that merely claims to be one
    const isOurs = () => cause instanceof Error && isArrayInterfaceError(cause);
    if (withFallback(isOurs, false)) throw cause;
    throw producerError(code, path, cause);
  }
}

/** Returns the error for `cause`, which a producer's code threw. */
export function producerError(
  code: ProducerCode,
  path: string,
  cause: unknown,
): ArrayInterfaceError {
  const message = `expected to read ${path}, got an exception from its producer; see the cause`;
  return new ArrayInterfaceError(code, path, message, { cause });
}

/** `Array.isArray`. Throws ERR_TYPE for a revoked proxy. */
export function isList(value: unknown, path: string): boolean {
  try {
    return Array.isArray(value);
  } catch (cause) {
    throw producerError('ERR_TYPE', path, cause);
  }
}

/** An interface dict whose keys are read once each; undefined counts as absent. */
export class Dict {
  readonly #object: Record<string, unknown>;
  readonly #name: string;
  readonly #prefix: string;

  /** Throws ERR_TYPE unless `value` is an object other than a list. */
  constructor(value: unknown, path: string, prefix = '') {
    const list = isList(value, path);
    if (typeof value !== 'object' || value === null || list) {
      throw mismatch(
        'ERR_TYPE',
        path,
        'an object with the keys of the interface',
        list ? 'a list' : show(value),
      );
    }
    this.#object = value as Record<string, unknown>;
    this.#name = path;
    this.#prefix = prefix;
  }

  /** Returns the path of `key`, for error messages. */
  path(key: string): string {
    return this.#prefix + key;
  }

  /** Returns the key's value, or undefined. */
  optional(key: string): unknown {
    try {
      return this.#object[key];
    } catch (cause) {
      throw producerError('ERR_TYPE', this.path(key), cause);
    }
  }

  /** Returns the key's value. Throws ERR_MISSING_KEY. */
  required(key: string): unknown {
    const value = this.optional(key);
    if (value !== undefined) return value;
    const isProducer = withFallback(() => this.#name in this.#object, false);
    const cure = isProducer
      ? `an object with ${this.#name}; pass its value, or pass the object to fromProducer()`
      : 'nothing; add it to the dict';
    throw mismatch('ERR_MISSING_KEY', this.path(key), `the required key '${key}'`, cure);
  }
}

/**
 * Checks that a value is a list (a real array) and returns its length. A proxy can claim any
 * length, so callers reject too many entries before they read them. `outer` is the list's index in
 * the list at `path`, if it is in one. Throws `code`, and ERR_TYPE if its producer throws.
 */
export function lengthOf(
  value: unknown,
  path: string,
  expected: string,
  code: 'ERR_TYPE' | 'ERR_ARGUMENT' = 'ERR_TYPE',
  outer?: number,
): number {
  let length: number | null = null; // not a list
  try {
    if (Array.isArray(value)) length = value.length; // entryOf is fast while it reads only indices
  } catch (cause) {
    throw producerError('ERR_TYPE', at(path, outer), cause);
  }
  // the length of an array has 32 bits
  if (length !== null && Number.isInteger(length) && length >>> 0 === length) return length;
  throw new ArrayInterfaceError(
    code,
    at(path, outer),
    `expected ${expected}, got ` +
      (length === null ? show(value) : `one that claims ${show(length)} entries`),
  );
}

/**
 * Reads one entry of a list that `lengthOf` has checked. Throws ERR_TYPE if its producer throws.
 */
export function entryOf(list: unknown, index: number, path: string, outer?: number): unknown {
  try {
    return (list as readonly unknown[])[index];
  } catch (cause) {
    throw producerError('ERR_TYPE', at(at(path, outer), index), cause);
  }
}

/**
 * Reads `[pointer, readOnly]`. With `takesNull`, null is pointer 0. Throws ERR_TYPE,
 * ERR_POINTER_RANGE.
 */
export function readPair(
  value: unknown,
  path: string,
  takesNull = false,
): { readonly pointer: bigint; readonly readOnly: boolean } {
  const length = lengthOf(value, path, '[pointer, readOnly]');
  if (length !== 2) {
    throw mismatch('ERR_TYPE', path, 'exactly [pointer, readOnly]', `${length} entries`);
  }
  const first = entryOf(value, 0, path);
  const pointer = first === null && takesNull ? 0n : readPointer(first, path, 0);
  return { pointer, readOnly: readFlag(entryOf(value, 1, path), path, 1) };
}

/** Checks the version of a dict. Throws ERR_MISSING_KEY, ERR_TYPE, ERR_VERSION. */
export function readVersion(dict: Dict, known: readonly number[], key = 'version'): void {
  const given = dict.required(key);
  if (known.includes(given as number)) return;
  const path = dict.path(key);
  const version = readInteger(given, path);
  if (known.some((one) => BigInt(one) === version)) return;
  throw mismatch(
    'ERR_VERSION',
    path,
    `version ${known.join(', ')}`,
    digits(version),
    'ask the producer for one of these',
  );
}

/** Reads a boolean. Throws ERR_TYPE. */
export function readFlag(value: unknown, path: string, index?: number): boolean {
  if (typeof value === 'boolean') return value;
  throw mismatch('ERR_TYPE', at(path, index), 'true or false', show(value));
}
