import { isArrayInterfaceError } from './error.js';

/** Where an error keeps what it is about. */
export const SUBJECT: unique symbol = Symbol.for('array-interface.subject') as never;

/**
 * The same error, remembering the dict or data that it is about, for `explain`; one that a reader
 * inside has thrown keeps its own. Other errors come out as they are.
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
