import { ArrayInterfaceError } from '@array-interface/core';
import type { PyObject } from './py-object.js';

/**
 * A Python exception, as a JavaScript error. Its code is `ERR_PYTHON`.
 *
 * @example
 * ```ts
 * import { PythonError, startPython } from '@array-interface/python';
 *
 * const python = startPython();
 * try {
 *   python.eval('1 / 0');
 * } catch (error) {
 *   if (!(error instanceof PythonError)) throw error;
 *   console.log(error.type, error.text); // ZeroDivisionError division by zero
 * }
 * ```
 */
export class PythonError extends ArrayInterfaceError {
  /** Printed before the message. */
  override readonly name = 'PythonError';
  /** The name of the exception's class: `ValueError`. */
  declare readonly type: string;
  /** The result of `str()` of the exception. */
  declare readonly text: string;
  /** What Python would print: the lines of `traceback.format_exception`. */
  declare readonly traceback: string;
  /**
   * The exception itself. It keeps the frames that it passed through, and their variables, alive.
   */
  declare readonly exception: PyObject;

  /** @internal */
  constructor(
    type: string,
    text: string,
    traceback: string,
    exception: PyObject,
    cause: unknown | undefined,
  ) {
    const message = text === '' ? type : `${type}: ${text}`;
    super('ERR_PYTHON', null, message, cause === undefined ? {} : { cause });
    Object.assign(this, { type, text, traceback });
    // not enumerable, since printing the error shows its traceback already
    Object.defineProperty(this, 'exception', { value: exception });
  }
}
