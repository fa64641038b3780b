import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './find-library.js';

/** Digest of the packages that `array-interface setup sycl` installs; the tests of that keep it. */
const PINS = '3d0ff4ccace9';

/**
 * The folder of the runtime that a user's projects share, in the user's cache: `array-interface setup
 * sycl` makes it. One for each choice of packages. Null where the user has no home folder. Never throws.
 */
export function sharedRuntime(env: Environment): string | null {
  const cache = cacheOf(env);
  return cache === null ? null : join(cache, 'array-interface', `sycl-runtime-${PINS}`);
}

/** The user's cache. As the XDG Base Directory Specification says, a relative XDG_CACHE_HOME counts as none. */
export function cacheOf(env: Environment): string | null {
  const named = env['XDG_CACHE_HOME'];
  if (named && isAbsolute(named)) return named;
  const home = homeOf(env);
  return home === null ? null : join(home, '.cache');
}

function homeOf(env: Environment): string | null {
  try {
    const home = env['HOME'] || homedir();
    return isAbsolute(home) ? home : null;
  } catch {
    return null; // a user whom the system does not know, as in containers
  }
}
