import { isArrayInterfaceError } from './error.js';
import { tryOr } from './try-or.js';

/** The property in which an error keeps what it is about. */
export const SUBJECT: unique symbol = Symbol.for('array-interface.subject') as never;

/**
 * Reads the dict or data `subject`. An error of ours remembers it, for `explain`; one of an inner reader
 * keeps its own. Other errors come out unchanged.
 */
export function withSubject<T>(subject: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const remember = () => Reflect.defineProperty(error as object, SUBJECT, { value: subject });
    if (isArrayInterfaceError(error)) tryOr(remember, false); // of a proxy that throws
    throw error;
  }
}
