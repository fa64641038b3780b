import type { ArrayProducer } from '@array-interface/core';
import { addon } from './addon.js';
import { importFile } from './code/import-file.js';
import { type RunOptions, runAsync } from './code/run-async.js';
import { type CodeOptions, runCode } from './code/run-code.js';
import { type ToPythonOptions, toPython } from './into-python.js';
import { type AwaitOptions, awaitObject } from './objects/await.js';
import {
  construct,
  type Entries,
  makeBytes,
  makeDict,
  makeFloat,
  makeInt,
  makeSequence,
  makeSet,
  type Values,
} from './objects/constructors.js';
import { enter, withManager } from './objects/context-manager.js';
import { Keywords, makeProxy, type Proxied } from './objects/proxy.js';
import type { PyObject } from './objects/py-object.js';

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
   * Imports the module in a file, wherever that is, and returns it; the same one for the same file. A
   * relative path counts from the working folder. The module has the file's name, with a number behind
   * it if Python has another module of that name.
   *
   * Throws PythonError: `FileNotFoundError`, and what the module raises.
   *
   * @example
   * ```ts
   * import { writeFileSync } from 'node:fs';
   * import { tmpdir } from 'node:os';
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * const file = `${tmpdir()}/prices.py`;
   * writeFileSync(file, 'def price(name): return len(name)');
   * console.log(python.importFile(file).callMethod('price', ['tea'])); // 3
   * ```
   */
  importFile(file: string | URL): PyObject {
    return importFile(file);
  }

  /**
   * Runs statements, whose common indentation is removed. Their names are those of `__main__`, and in
   * a worker the worker's own; `options.globals` and `locals` are others. Tracebacks and Python's
   * `inspect` show the source.
   *
   * Throws PythonError. Throws ERR_ARGUMENT for unknown options; ERR_TYPE for names that are no dict.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * python.exec('def power(base, exponent=2): return base ** exponent');
   *
   * using names = python.dict({ values: [1, 2] });
   * python.exec('total = sum(values)', { globals: names, filename: 'total.py' });
   * console.log(names.getItem('total')); // 3
   * ```
   */
  exec(code: string, options?: CodeOptions): void {
    runCode('exec', code, options);
  }

  /**
   * Evaluates an expression and returns its value, whose type `T` is not checked. Takes the options of
   * `exec`, and throws as that does.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * console.log(python.eval('sum(range(5))')); // 10
   * console.log(python.eval('a * b', { locals: { a: 6, b: 7 } })); // 42
   * ```
   */
  eval<T = PyObject>(code: string, options?: CodeOptions): T {
    return runCode('eval', code, options) as T;
  }

  /**
   * Makes an int, also of a number beyond 2^53: `int(1e20)` is exact. Text is read as Python's `int`
   * does. Throws ERR_ARGUMENT for a number that is no integer; ERR_TYPE; PythonError.
   */
  int(value: number | bigint | string | PyObject): PyObject {
    return makeInt(value);
  }

  /**
   * Makes a float: `float(1)` is Python's 1.0, where `1` would be the int. Throws ERR_TYPE;
   * PythonError (`OverflowError` for a bigint that is too large).
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using name = python.eval('lambda value: type(value).__name__');
   * console.log(name.call([1]), name.call([python.float(1)])); // int float
   * ```
   */
  float(value: number | bigint | string | PyObject): PyObject {
    return makeFloat(value);
  }

  /** Makes a complex number. */
  complex(real: number, imag = 0): PyObject {
    return construct('complex', real, imag);
  }

  /**
   * Makes a bytes object, as a copy of memory, or of integers from 0 to 255. Throws ERR_TYPE for a
   * text, and for what is neither memory nor iterable; PythonError.
   */
  bytes(data: ArrayBufferView | ArrayBufferLike | Iterable<number> | PyObject): PyObject {
    return makeBytes(data);
  }

  /** Makes a tuple of an iterable's values. Throws ERR_TYPE; PythonError. */
  tuple(values?: Values): PyObject {
    return makeSequence('tuple', values);
  }

  /** Makes a list of an iterable's values, which Python may change. Throws ERR_TYPE; PythonError. */
  list(values?: Values): PyObject {
    return makeSequence('list', values);
  }

  /** Makes a set of an iterable's values, with a tuple for each array. Throws as `list` does. */
  set(values?: Values): PyObject {
    return makeSet(values);
  }

  /**
   * Makes a dict of a plain object, a Map, an iterable of pairs, or a mapping of Python's. Throws
   * ERR_TYPE; PythonError.
   */
  dict(entries?: Entries): PyObject {
    return makeDict(entries);
  }

  /**
   * Makes a slice, for `getItem`: `slice(stop)`, `slice(start, stop)` or `slice(start, stop, step)`,
   * with null for what Python leaves out.
   */
  slice(...bounds: [stop: unknown] | [start: unknown, stop: unknown, step?: unknown]): PyObject {
    return construct('slice', ...bounds);
  }

  /**
   * Enters a context manager, and returns what its `__enter__` does, always as a PyObject. Disposing
   * of that calls `__exit__`, once, as at the end of a `with` block without an exception: `using`
   * does not tell of one. Where that matters, as in a transaction, use `with`.
   *
   * Throws ERR_TYPE for an object that is no context manager; PythonError.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * {
   *   using folder = python.enter(python.import('tempfile').callMethod('TemporaryDirectory'));
   *   console.log(python.import('os.path').callMethod('isdir', [folder])); // true
   * }
   * ```
   */
  enter(manager: PyObject): PyObject {
    return enter(manager) as PyObject;
  }

  /**
   * Enters a context manager, calls `body` with what its `__enter__` returns, and leaves it. What
   * `body` throws goes to `__exit__` as a Python exception, and is thrown again unless that returns
   * true; then the result is undefined. If `body` returns a promise, leaves once that has settled.
   *
   * Throws ERR_TYPE for an object that is no context manager; PythonError.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * const suppress = python.import('contextlib').callMethod('suppress', [python.eval('KeyError')]);
   * console.log(python.with(suppress, () => python.eval('{}["missing"]'))); // undefined
   * ```
   */
  with<T, V = PyObject>(manager: PyObject, body: (value: V) => Promise<T>): Promise<T | undefined>;
  /** The same, with a `body` that returns no promise. */
  with<T, V = PyObject>(manager: PyObject, body: (value: V) => T): T | undefined;
  with(manager: PyObject, body: (value: never) => unknown): unknown {
    return withManager(manager, body as (value: unknown) => unknown);
  }

  /**
   * Calls `callable` on another thread: one of at most 64, or that of `options.thread`. Does not
   * block. The promise settles once the call has ended, and keeps the process alive until then. A
   * coroutine that it returns is awaited, as `await` does.
   *
   * Arguments and the result are converted on this thread, as those of `PyObject.call` are.
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
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using sleep = python.eval("__import__('time').sleep");
   * await python.runAsync(sleep, [0.1], { signal: AbortSignal.timeout(1000) });
   * ```
   */
  runAsync<T = PyObject>(
    callable: PyObject,
    args?: readonly unknown[],
    options?: RunOptions,
  ): Promise<T> {
    return runAsync(callable, args, options) as Promise<T>;
  }

  /**
   * Awaits a coroutine, or another awaitable, on an event loop of asyncio that runs on a thread of
   * Python's, one for the process. `await object` does the same for a coroutine, without options. Does
   * not block; the promise keeps the process alive.
   *
   * Rejects with PythonError for what the coroutine raises, and for an object that cannot be awaited;
   * ERR_ARGUMENT; ERR_DISPOSED. Aborting `signal` cancels the coroutine; the promise then rejects with
   * the signal's reason once that has ended.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * const sleep = python.import('asyncio').get('sleep');
   * console.log(await python.await(sleep.call([0.01, 'slept']))); // slept
   * ```
   */
  await<T = PyObject>(awaitable: PyObject, options?: AwaitOptions): Promise<T> {
    return awaitObject(awaitable, options) as Promise<T>;
  }

  /**
   * Makes a Python object over the same memory as an array. NumPy, CuPy, dpctl and PyTorch take it
   * with `asarray` or `from_dlpack`. It has the interface of its memory, `__dlpack__`, and in host
   * memory the buffer protocol.
   *
   * Copies nothing: writes on either side are visible on the other. Does not block: what Python
   * enqueues is ordered after the work that is pending now. Python keeps the memory as long as it
   * has the object or a view of it, even if the array is disposed. With `options.as`, returns the
   * array of a library over the same memory.
   *
   * Throws PythonError if that library is not there, or would have to copy. Throws ERR_TYPE if it is not a backend's array; ERR_PENDING while a kernel of the host writes
   * it; ERR_DISPOSED; ERR_MASK; ERR_DTYPE_UNSUPPORTED; ERR_STRIDE_UNIT; ERR_NOT_ACCESSIBLE for a
   * JavaScript buffer's memory.
   *
   * @example
   * ```ts
   * import { host } from '@array-interface/host';
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * using array = await host.array([1, 2, 3], { dtype: 'float32' });
   * using view = python.toPython(array, { as: 'numpy' });
   * view.setItem(0, 7);
   * console.log(await host.toTypedArray(array)); // Float32Array(3) [ 7, 2, 3 ]
   * ```
   */
  toPython(array: ArrayProducer, options?: ToPythonOptions): PyObject {
    return toPython(array, options);
  }

  /**
   * Returns an object as people write Python: attributes are properties, `x[0]` is an item, calls are
   * calls, with `kwargs` as the last argument, and what they return are proxies or plain values. A
   * proxy is passed to Python as its object, and `$name` is what `name` is of the PyObject:
   * `$getItem('x')`, `$add(1)`, `$toJS()`, `$object`.
   *
   * It keeps the object until it is disposed or collected. `then`, `toJSON` and `toString` are those
   * of PyObject: `await` of a proxy gives the proxy itself, unless Python can await it. Throws
   * PythonError for what Python raises, such as an unknown attribute; ERR_TYPE. `T` is not checked.
   *
   * @example
   * ```ts
   * import { startPython } from '@array-interface/python';
   *
   * const python = startPython();
   * const { Fraction } = python.proxy(python.import('fractions'));
   * const half = Fraction(1, 2);
   * console.log(half.denominator, half.limit_denominator(python.kwargs({ max_denominator: 1 })));
   * // 2 PyObject Fraction(0, 1)
   * ```
   */
  proxy<T = Proxied>(object: PyObject | Proxied): T {
    return makeProxy(object) as T;
  }

  /**
   * Keyword arguments for a call of a proxy, as its last argument. Throws ERR_TYPE if it is no plain
   * object.
   */
  kwargs(values: Readonly<Record<string, unknown>>): Keywords {
    return new Keywords(values);
  }
}
