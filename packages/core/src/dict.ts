import { ArrayInterfaceError, isArrayInterfaceError } from './error.js';
import { show } from './show.js';

/**
 * Runs code of the producer's (a getter, a proxy's trap). What it throws comes out as `code` with
 * the thrown value as `cause`; an `ArrayInterfaceError` comes out unchanged.
 */
export function guarded<T>(code: 'ERR_TYPE' | 'ERR_NO_INTERFACE', path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isArrayInterfaceError(cause)) throw cause;
    const message = `expected to read ${path}, got an exception from its producer; see the cause`;
    throw new ArrayInterfaceError(code, path, message, { cause });
  }
}

/** An interface dict whose keys are read once each; undefined counts as absent. */
export class Dict {
  readonly #object: Record<string, unknown>;
  readonly #prefix: string;

  /** Throws ERR_TYPE unless `value` is an object other than a list. */
  constructor(value: unknown, path: string, prefix = '') {
    const isList = guarded('ERR_TYPE', path, () => Array.isArray(value));
    if (typeof value !== 'object' || value === null || isList) {
      throw new ArrayInterfaceError(
        'ERR_TYPE',
        path,
        `expected an object with the keys of the interface, got ${isList ? 'a list' : show(value)}`,
      );
    }
    this.#object = value as Record<string, unknown>;
    this.#prefix = prefix;
  }

  /** Where `key` stands, for errors. */
  path(key: string): string {
    return `${this.#prefix}${key}`;
  }

  /** The key's value, or undefined. */
  optional(key: string): unknown {
    return guarded('ERR_TYPE', this.path(key), () => this.#object[key]);
  }

  /** The key's value. Throws ERR_MISSING_KEY. */
  required(key: string): unknown {
    const value = this.optional(key);
    if (value !== undefined) return value;
    throw new ArrayInterfaceError(
      'ERR_MISSING_KEY',
      this.path(key),
      `expected the required key '${key}', got nothing; add it to the dict`,
    );
  }
}

/** Reads a list (a real array), each entry once. Throws ERR_TYPE. */
export function readList(value: unknown, path: string, expected: string): unknown[] {
  return guarded('ERR_TYPE', path, () => {
    if (Array.isArray(value)) {
      return Array.from({ length: value.length }, (_, index) => value[index] as unknown);
    }
    throw new ArrayInterfaceError('ERR_TYPE', path, `expected ${expected}, got ${show(value)}`);
  });
}
