import { ArrayInterfaceError } from '@array-interface/core';
import type { PyObject } from './py-object.js';
import { define, messageOf, showTraceback } from './python-stack.js';

/**
 * A Python exception, as a JavaScript error. Its code is `ERR_PYTHON`. Its `stack` has the lines of
 * JavaScript that called Python, and below them what Python prints of the exception.
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
    const reason = text === '' ? type : `${type}: ${text}`;
    super('ERR_PYTHON', null, reason, cause === undefined ? {} : { cause });
    Object.assign(this, { type });
    // not enumerable, since printing the error shows its message and its stack already
    const message = messageOf(reason);
    define(this, { message, text, traceback, exception });
    showTraceback(this);
  }
}
