import type { ArrayProducer } from '@array-interface/core';
import { addon } from './addon.js';
import { type ToPythonOptions, toPython } from './into-python.js';
import type { PyObject } from './py-object.js';
import { type RunOptions, runAsync } from './run-async.js';

/**
 * The CPython of this process; `startPython` gives it. All but `runAsync` and `toPython` run Python on
 * this thread and wait for it. Names and code that are no text are ERR_TYPE.
 */
export class Python {
  /** What Python says of its version: `3.13.0 (main, …)`. */
  get version(): string {
    return addon().version();
  }

  /** A module: `import('os.path')` is that of `import os.path`. Throws PythonError. */
  import(name: string): PyObject {
    return addon().import(name) as PyObject;
  }

  /** Runs statements among the names of `__main__`. Throws PythonError. */
  exec(code: string): void {
    addon().exec(code);
  }

  /** The value of an expression, which sees the names of `__main__`. Throws PythonError. */
  eval(code: string): unknown {
    return addon().eval(typeof code === 'string' ? code.replace(/^[ \t]+/, '') : code);
  }

  /**
   * Calls `callable` on a thread of its own and never waits. The promise settles when the call has
   * ended, and keeps the process alive until then. Arguments and the result cross as those of `call`
   * do, on this thread. Rejects with PythonError for an exception, and with ERR_TYPE, ERR_ARGUMENT or
   * ERR_DISPOSED for what cannot be called so.
   *
   * An aborted `signal` raises KeyboardInterrupt in the thread as soon as that runs Python code or
   * waits for JavaScript; C code, as in `time.sleep`, ends first. Then the promise rejects with the
   * signal's reason. Code that catches the KeyboardInterrupt gives what it gives.
   */
  runAsync(callable: PyObject, args?: readonly unknown[], options?: RunOptions): Promise<unknown> {
    return runAsync(callable, args, options);
  }

  /**
   * An array as an object of Python's, over the same memory: NumPy, CuPy, dpctl and PyTorch take it
   * with `asarray` or `from_dlpack`. It has the interface of its memory, `__dlpack__`, and in host
   * memory the buffer protocol. Writes are seen on both sides. Python keeps the memory as long as
   * it has the object or a view of it, also when the array was disposed of. Copies nothing and does
   * not wait: what Python begins waits for the work that is pending now. Throws ERR_TYPE for what
   * is no array of a backend, ERR_PENDING while a kernel of the host writes it, and what giving a
   * capsule throws; see `BackendArray`.
   */
  toPython(array: ArrayProducer, options?: ToPythonOptions): PyObject {
    return toPython(array, options);
  }
}
