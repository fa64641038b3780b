import { isArrayInterfaceError } from './error.js';

/** The property in which an error keeps what it is about. */
export const SUBJECT: unique symbol = Symbol.for('array-interface.subject') as never;

/**
 * Makes an error remember the dict or data that it is about, for `explain`, and returns it. An error of an
 * inner reader keeps its own. Other errors come out unchanged.
 */
export function blame(error: unknown, subject: unknown): unknown {
  if (!isArrayInterfaceError(error)) return error;
  try {
    Reflect.defineProperty(error, SUBJECT, { value: subject });
  } catch {
    // a proxy that throws
  }
  return error;
}
