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
}

const checkPath = checkThat((value) => typeof value === 'string' && value !== '', 'a path');
const CHECKS = { venv: checkPath, library: checkPath };

/** Throws ERR_ARGUMENT for unknown options, and for a value that is not a path. */
export function readStartOptions(options: StartOptions): StartOptions {
  return readOwnOptions(options, CHECKS);
}
