import type { ArrayInterfaceError } from '@array-interface/core';
import { findAddon } from './addon.js';
import { findPython } from './find-python.js';
import { readStartOptions, type StartOptions } from './start-options.js';

/** Whether a Python can be started, and which; or why not, what was tried, and what to do. */
export type PythonAvailability =
  | {
      readonly available: true;
      /** As `3.13.0`. */
      readonly version: string;
      /** Its shared libpython. */
      readonly library: string;
      /** The program whose environment it has. */
      readonly program: string;
      /** Whether it is a build without the lock that all of its threads share. */
      readonly freeThreaded: boolean;
    }
  | {
      readonly available: false;
      readonly reason: string;
      readonly tried: readonly string[];
      readonly remedy: string;
    };

/**
 * What `startPython` would start where no Python runs yet. It starts nothing, and runs a Python program
 * as that does, which blocks for some 20 ms. Throws ERR_ARGUMENT for other options, and nothing else.
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
    const { message } = error as ArrayInterfaceError;
    // Messages end with what to do.
    const end = message.lastIndexOf('; ');
    const tried = Object.values(places);
    return {
      available: false,
      reason: message.slice(0, end),
      tried: tried.length > 0 ? tried : ['python3'],
      remedy: message.slice(end + 2),
    };
  }
}
