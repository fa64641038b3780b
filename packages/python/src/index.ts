export { type PythonAvailability, pythonAvailability } from './availability.js';
export type { ToPythonOptions } from './into-python.js';
export { PyObject } from './py-object.js';
export type { Python } from './python.js';
export { PythonError } from './python-error.js';
export type { RunOptions } from './run-async.js';
export type { StartOptions } from './start-options.js';
export { startPython } from './start-python.js';
