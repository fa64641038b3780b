import { checkThat } from '@array-interface/core/backend';
import { readOwnOptions } from './own-options.js';

/** Which Python `startPython` starts. */
export interface StartOptions {
  /**
   * The folder of an environment: a virtual one, conda's, or a Python installation. Default: that
   * of `library`, otherwise that of the `python3` on the PATH.
   */
  readonly venv?: string;
  /** Path of a shared libpython. Default: that of the environment. */
  readonly library?: string;
  /**
   * Folders that Python's `import` searches first; relative ones count from the working folder.
   * Default: the folder of the program that Node runs, as for `python3 program.py`; without one the
   * working folder.
   */
  readonly path?: readonly string[];
}

const isPath = (value: unknown) => typeof value === 'string' && value !== '';
const checkPath = checkThat(isPath, 'a path');
const arePaths = (value: unknown) => Array.isArray(value) && value.every(isPath);
const CHECKS = {
  venv: checkPath,
  library: checkPath,
  path: checkThat(arePaths, 'a list of folders'),
};

/** Throws ERR_ARGUMENT for unknown options, and for a value that is not a path. */
export function readStartOptions(options: StartOptions): StartOptions {
  return readOwnOptions(options, CHECKS);
}
