import { checkThat } from '@array-interface/core/backend';
import { readOwnOptions } from './own-options.js';

/** Which Python to start. */
export interface StartOptions {
  /**
   * The folder of an environment: a virtual one, conda's, or where a Python is installed. Default:
   * that of `library`, else of the `python3` on the PATH.
   */
  readonly venv?: string;
  /** A shared libpython. Default: that of the environment. */
  readonly library?: string;
}

const checkPath = checkThat((value) => typeof value === 'string' && value !== '', 'a path');
const CHECKS = { venv: checkPath, library: checkPath };

/** Throws ERR_ARGUMENT for other options, and for what is no path. */
export function readStartOptions(options: StartOptions): StartOptions {
  return readOwnOptions(options, CHECKS);
}
