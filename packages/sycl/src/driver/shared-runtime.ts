import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './find-library.js';

/**
 * Digest of the packages that `array-interface setup sycl` installs. The tests of `setup` check it.
 */
const PINS = '3d0ff4ccace9';

/**
 * Returns the folder of the runtime in the user's cache, which all projects of a user share.
 * `array-interface setup sycl` creates it. There is one for each selection of packages. Null if the
 * user has no home folder. Never throws.
 */
export function sharedRuntime(env: Environment): string | null {
  const cache = cacheOf(env);
  return cache === null ? null : join(cache, 'array-interface', `sycl-runtime-${PINS}`);
}

/**
 * The user's cache. A relative XDG_CACHE_HOME is ignored, as the XDG Base Directory Specification
 * requires.
 */
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
    return null; // a user without an entry in the system's user database, as in containers
  }
}
