import { isatty } from 'node:tty';
import { isMainThread } from 'node:worker_threads';
import { addon } from './addon.js';
import { beforeExit } from './before-exit.js';
import * as builders from './builders.js';
import { searchFirst, usualPath } from './code/search-path.js';
import { findPython } from './find-python.js';
import * as buffers from './held-buffers.js';
import { PyObject } from './objects/py-object.js';
import { PythonError } from './objects/python-error.js';
import { Python } from './python.js';
import { readStartOptions, type StartOptions } from './start-options.js';

let python: Python | null = null;

/**
 * Starts CPython in this process, or returns the one that runs. A process has one Python with one
 * environment, which ends with the process. Without options, returns whichever runs.
 *
 * Blocks for some 50 ms at the first call, while a Python program reports its paths and Python
 * starts. Throws ERR_ARGUMENT for unknown options. Throws ERR_BACKEND_UNAVAILABLE if there is no
 * Python or no shared libpython, if it is older than 3.10, or if a different one runs.
 *
 * @example
 * ```ts
 * import { startPython } from '@array-interface/python';
 *
 * const python = startPython(); // the python3 on the PATH; { venv: '.venv' } names another
 * console.log(python.eval('sum(range(5))')); // 10
 * ```
 */
export function startPython(options: StartOptions = {}): Python {
  const { path, ...places } = readStartOptions(options);
  const native = addon();
  const isFirst = native.running() === null;
  if (isFirst || Object.keys(places).length > 0) {
    const { library, program, prefix, version } = findPython(places);
    openTerminals();
    native.start(library, program, prefix, version);
  }
  if (python === null) {
    native.teach(PyObject, PythonError, { ...builders, ...buffers });
    python = new Python();
    beforeExit(native.beforeExit);
  }
  const sys = python.import('sys');
  searchFirst(sys, path ?? (isFirst ? usualPath(sys) : []));
  return python;
}

/**
 * Opens terminals before Python starts. Node reopens a terminal when a program first writes to it,
 * and marks it to be closed in the processes that Python starts. Reading is left alone: Node's way
 * of it makes Python's input() fail.
 */
function openTerminals(): void {
  if (!isMainThread) return; // the main thread opened them for its first worker
  if (isatty(1)) process.stdout;
  if (isatty(2)) process.stderr;
}
