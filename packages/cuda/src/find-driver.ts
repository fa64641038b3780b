import { createRequire } from 'node:module';
import {
  type Availability,
  backendUnavailable,
  beforeExit,
  isElevated,
  whyUntrusted,
} from '@array-interface/core/backend';
import { type Addon, addon, findAddon, modulePath } from './addon.js';

const require = createRequire(modulePath);

/** Environment variable that names the driver's file. */
const VARIABLE = 'ARRAY_INTERFACE_LIBCUDA';
/**
 * Default locations: the loader's search path, then WSL's folder, which the loader does not search.
 */
const USUAL = ['libcuda.so.1', '/usr/lib/wsl/lib/libcuda.so.1'];
const REMEDY =
  'install the NVIDIA driver 460 (CUDA 11.2) or later; to work without a GPU, install ' +
  '@array-interface/cuda-simulator and run your command with `npx cuda-simulator COMMAND`';

/**
 * An error that only the simulator produces, since the argument of cuInit is valid. cuInit cannot
 * return its reason.
 */
const REFUSED_SETTING = 'cuInit to succeed, got CUDA_ERROR_INVALID_VALUE';
const SIMULATOR_REMEDY =
  'correct the CUDA_SIMULATOR_… variable that the simulator names on standard error';

/**
 * The last result, and the variable's value at that time. A failure is retried if the value
 * changes.
 */
let last: { readonly named: string; readonly found: Availability } | null = null;

/** Finds a usable driver, loading it on the first call. Never throws. */
export function findDriver(): Availability {
  if (last?.found.available) return last.found; // each copy calls this, and process.env is slow
  const named = process.env[VARIABLE] ?? '';
  if (last === null || last.named !== named) {
    last = { named, found: look(named) };
  }
  return last.found;
}

/** Number of devices, set when the driver was loaded. */
let count = 0;

/** Returns the number of devices. Throws ERR_BACKEND_UNAVAILABLE. */
export function deviceCount(): number {
  libcuda();
  return count;
}

/**
 * Returns the addon with its driver loaded. Throws ERR_BACKEND_UNAVAILABLE with everything that was
 * tried.
 */
export function libcuda(): Addon {
  const found = findDriver();
  if (found.available) return addon();
  throw backendUnavailable('a CUDA driver', found);
}

function look(named: string): Availability {
  const native = findAddon();
  if (!native.available) return native;
  const chosen = isElevated(require) ? '' : named;
  // A name without a folder is resolved by the system's loader, in folders that the system chose.
  const why = chosen.includes('/') ? whyUntrusted(chosen, require) : null;
  if (why !== null) {
    const reason = `${VARIABLE} names a library that is not loaded: ${why}`;
    return { available: false, reason, tried: [chosen], remedy: REMEDY };
  }
  const found = native.addon.load(...(chosen === '' ? USUAL : [chosen]));
  if ('version' in found) {
    count = found.deviceCount;
    // The driver's compiler registers exit handlers.
    beforeExit(require, () => addon().endBuilding());
    return { available: true, library: found.path, version: versionName(found.version) };
  }
  const tried = found.map(({ path, error }) =>
    error.startsWith(path) ? error : `${path}: ${error}`,
  );
  const reason = reasonOf(found);
  const remedy = reason.includes(REFUSED_SETTING) ? SIMULATOR_REMEDY : REMEDY;
  return { available: false, reason, tried, remedy };
}

/**
 * Returns the likeliest reason: a driver that exists but is unusable is more telling than a missing
 * file.
 */
function reasonOf(tried: readonly { readonly path: string; readonly error: string }[]): string {
  const refused = tried.find(({ error }) => error.startsWith('expected '));
  return refused?.error ?? 'no CUDA driver library could be loaded';
}

function versionName(version: number): string {
  return `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
}
