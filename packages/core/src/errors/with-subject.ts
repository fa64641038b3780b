import { isArrayInterfaceError } from './error.js';
import { withFallback } from './with-fallback.js';

/** The property in which an error stores its subject. */
export const SUBJECT: unique symbol = Symbol.for('array-interface.subject') as never;

/**
 * Reads the dict or data `subject`. An `ArrayInterfaceError` stores it for `explain`; one of an
 * inner reader keeps its own subject. Other errors are rethrown unchanged.
 */
export function withSubject<T>(subject: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const remember = () => Reflect.defineProperty(error as object, SUBJECT, { value: subject });
    if (isArrayInterfaceError(error)) withFallback(remember, false); // a proxy may throw
    throw error;
  }
}
