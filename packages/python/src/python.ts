import type { ArrayProducer } from '@array-interface/core';
import { addon } from './addon.js';
import { type ToPythonOptions, toPython } from './into-python.js';
import type { PyObject } from './py-object.js';
import { type RunOptions, runAsync } from './run-async.js';

/**
 * The CPython of this process, which `startPython` returns. Every method but `runAsync` and
 * `toPython` runs Python on this thread and blocks until it returns. Throws ERR_TYPE if a name or
 * code is not a string.
 */
export class Python {
  /** Python's description of its version: `3.13.0 (main, …)`. */
  get version(): string {
    return addon().version();
  }

  /**
   * Imports a module and returns it: for `import('os.path')`, the one that `import os.path` names.
   * Throws PythonError.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using statistics = python.import('statistics');
   * console.log(statistics.callMethod('median', [[3, 1, 2]])); // 2
   * ```
   */
  import(name: string): PyObject {
    return addon().import(name) as PyObject;
  }

  /**
   * Runs statements in the namespace of `__main__`. Throws PythonError.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * python.exec('def power(base, exponent=2): return base ** exponent');
   * ```
   */
  exec(code: string): void {
    addon().exec(code);
  }

  /**
   * Evaluates an expression in the namespace of `__main__` and returns its value. Throws
   * PythonError.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * console.log(python.eval('sum(range(5))')); // 10
   * ```
   */
  eval(code: string): unknown {
    return addon().eval(typeof code === 'string' ? code.replace(/^[ \t]+/, '') : code);
  }

  /**
   * Calls `callable` on a new thread. Does not block. The promise settles once the call has ended,
   * and keeps the process alive until then. Arguments and the result are converted on this thread,
   * as those of `PyObject.call` are.
   *
   * Rejects with PythonError if the call raises. Rejects with ERR_TYPE, ERR_ARGUMENT or
   * ERR_DISPOSED if it cannot be made.
   *
   * Aborting `signal` raises KeyboardInterrupt in the thread as soon as it runs Python code or
   * waits for JavaScript; C code, as in `time.sleep`, ends first. The promise then rejects with the
   * signal's reason. If the code catches the KeyboardInterrupt, the promise settles with the code's
   * own result.
   *
   * @example
   * ```ts
   * import { type PyObject, startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using sleep = python.eval("__import__('time').sleep") as PyObject;
   * await python.runAsync(sleep, [0.1], { signal: AbortSignal.timeout(1000) });
   * ```
   */
  runAsync(callable: PyObject, args?: readonly unknown[], options?: RunOptions): Promise<unknown> {
    return runAsync(callable, args, options);
  }

  /**
   * Makes a Python object over the same memory as an array. NumPy, CuPy, dpctl and PyTorch take it
   * with `asarray` or `from_dlpack`. It has the interface of its memory, `__dlpack__`, and in host
   * memory the buffer protocol.
   *
   * Copies nothing: writes on either side are visible on the other. Does not block: what Python
   * enqueues is ordered after the work that is pending now. Python keeps the memory as long as it
   * has the object or a view of it, even if the array is disposed.
   *
   * Throws ERR_TYPE if it is not a backend's array; ERR_PENDING while a kernel of the host writes
   * it; ERR_DISPOSED; ERR_MASK; ERR_DTYPE_UNSUPPORTED; ERR_STRIDE_UNIT; ERR_NOT_ACCESSIBLE for a
   * JavaScript buffer's memory.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   * import { type PyObject, startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using array = await host.array([1, 2, 3], { dtype: 'float32' });
   * using numpy = python.import('numpy');
   * using view = numpy.callMethod('asarray', [python.toPython(array)]) as PyObject;
   * view.setItem(0, 7);
   * console.log(await host.toTypedArray(array)); // Float32Array(3) [ 7, 2, 3 ]
   * ```
   */
  toPython(array: ArrayProducer, options?: ToPythonOptions): PyObject {
    return toPython(array, options);
  }
}
