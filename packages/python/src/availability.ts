import type { ArrayInterfaceError } from '@array-interface/core';
import { findAddon } from './addon.js';
import { findPython } from './find-python.js';
import { readStartOptions, type StartOptions } from './start-options.js';

/**
 * Whether a Python can be started, and which one. If none can, why not, what was tried, and what to
 * do.
 */
export type PythonAvailability =
  | {
      readonly available: true;
      /** Its version, as `3.13.0`. */
      readonly version: string;
      /** Path of its shared libpython. */
      readonly library: string;
      /** Path of the program whose environment it has. */
      readonly program: string;
      /** True for a free-threaded build, which has no global interpreter lock. */
      readonly freeThreaded: boolean;
    }
  | {
      readonly available: false;
      readonly reason: string;
      readonly tried: readonly string[];
      readonly remedy: string;
    };

/**
 * Reports which Python `startPython` would start if none runs yet. Starts none. Runs a Python
 * program, as `startPython` does, which blocks for some 20 ms. Throws ERR_ARGUMENT for unknown
 * options, and nothing else.
 *
 * @example
 * ```ts
 * import { pythonAvailability } from '@array-interface/python';
 *
 * const python = pythonAvailability({ venv: '.venv' });
 * if (!python.available) console.error(python.reason);
 * ```
 */
export function pythonAvailability(options: StartOptions = {}): PythonAvailability {
  const places = readStartOptions(options);
  const addon = findAddon();
  if (!addon.available) return addon;
  try {
    const { version, library, program } = findPython(places);
    const freeThreaded = version.endsWith('t');
    return { available: true, version: version.replace('t', ''), library, program, freeThreaded };
  } catch (error) {
    const { reason } = error as ArrayInterfaceError;
    // Messages end with what to do.
    const end = reason.lastIndexOf('; ');
    const tried = Object.values(places);
    return {
      available: false,
      reason: reason.slice(0, end),
      tried: tried.length > 0 ? tried : ['python3'],
      remedy: reason.slice(end + 2),
    };
  }
}
