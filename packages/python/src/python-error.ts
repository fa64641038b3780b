import { ArrayInterfaceError } from '@array-interface/core';
import type { PyObject } from './py-object.js';

/** An exception of Python's, as a JavaScript error. Its code is `ERR_PYTHON`. */
export class PythonError extends ArrayInterfaceError {
  /** Printed before the message. */
  override readonly name = 'PythonError';
  /** The name of the exception's class: `ValueError`. */
  declare readonly type: string;
  /** What `str()` says of the exception. */
  declare readonly text: string;
  /** What Python would print: the lines of `traceback.format_exception`. */
  declare readonly traceback: string;
  /** The exception itself. It keeps the frames that it passed, with their variables, alive. */
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
    // not enumerable: whoever prints the error has its traceback
    Object.defineProperty(this, 'exception', { value: exception });
  }
}
