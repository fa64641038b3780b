import { isatty } from 'node:tty';
import { isMainThread } from 'node:worker_threads';
import { addon } from './addon.js';
import { beforeExit } from './before-exit.js';
import * as builders from './builders.js';
import { findPython } from './find-python.js';
import { PyObject } from './py-object.js';
import { Python } from './python.js';
import { PythonError } from './python-error.js';
import { readStartOptions, type StartOptions } from './start-options.js';

let python: Python | null = null;

/**
 * Starts CPython in this process, or gives the one that runs. It ends with the process, which has one
 * Python and one environment. Without options, it gives whichever runs. Blocks while a Python program
 * tells where it lies, and while Python starts: some 50 ms. Throws ERR_ARGUMENT for other options, and
 * ERR_BACKEND_UNAVAILABLE: no Python, no shared libpython, one older than 3.10, another one runs.
 */
export function startPython(options: StartOptions = {}): Python {
  const places = readStartOptions(options);
  const native = addon();
  if (native.running() === null || Object.keys(places).length > 0) {
    const { library, program, prefix, version } = findPython(places);
    openTerminals();
    native.start(library, program, prefix, version);
  }
  if (python === null) {
    native.teach(PyObject, PythonError, builders);
    python = new Python();
    beforeExit(native.beforeExit);
  }
  return python;
}

/**
 * Node opens a terminal anew when a program first writes there, and sets it to close in the processes
 * that Python starts: let it do so before Python starts. Reading is left alone: Node's own way of it
 * makes Python's input() fail.
 */
function openTerminals(): void {
  if (!isMainThread) return; // the main thread opened them for its first worker
  if (isatty(1)) process.stdout;
  if (isatty(2)) process.stderr;
}
