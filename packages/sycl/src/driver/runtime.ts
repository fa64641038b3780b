import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type Availability, backendUnavailable, beforeExit } from '@array-interface/core/backend';
import { type Addon, addon, findAddon, modulePath } from '../addon.js';
import { AsyncErrors } from './async-errors.js';
import { type Environment, findLibraries, LIBRARY, openClDriverOf } from './find-library.js';
import { MOST_KEPT, ownKernelFolder } from './kernel-folder.js';
import { whyNoRuntime } from './platform.js';
import { sharedRuntime } from './shared-runtime.js';
import { whyNoDevice } from './why-no-device.js';

const REMEDY =
  "run `npx array-interface setup sycl`, which puts one into the user's cache (1.6 GB, once for all " +
  'projects), or name the libDPCTLSyclInterface.so of an installed dpctl in ' +
  'ARRAY_INTERFACE_DPCTL_LIBRARY; if that one has no device, install its driver (intel-opencl-rt)';

/** The addon's message for a runtime without a device. */
const NO_DEVICE = 'the runtime loads but has no device';

/** Errors of enqueued work that reject no promise. */
export const asyncErrors: AsyncErrors = new AsyncErrors();

let answer: Availability | null = null;

/** Finds and loads the runtime, once. The answer does not change afterwards. Never throws. */
export function findRuntime(): Availability {
  answer ??= open();
  return answer;
}

/**
 * Returns the addon with its runtime opened. Throws ERR_BACKEND_UNAVAILABLE with all that was
 * tried.
 */
export function runtime(): Addon {
  const found = findRuntime();
  if (found.available) return addon();
  throw backendUnavailable('a SYCL runtime with a device', found);
}

function open(): Availability {
  const env = { ...process.env }; // a copy, since the addon sets the OpenCL driver's variable
  const native = findAddon();
  if (!native.available) {
    const elsewhere = whyNoRuntime();
    return elsewhere === null ? native : { available: false, tried: [native.reason], ...elsewhere };
  }
  const tried: string[] = [];
  const here = dirname(modulePath);
  const environment = {
    env,
    loaded: loadedLibrary(LIBRARY),
    folders: [process.cwd(), here],
    shared: sharedRuntime(env),
  };
  for (const library of findLibraries(environment, tried)) {
    try {
      const opened = native.addon.open(
        library,
        openClDriverOf(library),
        ownKernelFolder(env),
        MOST_KEPT,
      );
      begin(native.addon);
      return { available: true, ...opened };
    } catch (error) {
      tried.push(`${library}: ${explained(error as Error, library, env)}`);
    }
  }
  if (!tried.some((one) => one.includes(NO_DEVICE))) {
    return notHere('no SYCL runtime was found', tried, REMEDY);
  }
  const reason = 'a SYCL runtime was found but it has no device';
  return { available: false, reason, tried, remedy: REMEDY };
}

/** The answer if something is missing. On some platforms nothing can be installed. */
function notHere(reason: string, tried: readonly string[], remedy: string): Availability {
  return { available: false, tried, ...(whyNoRuntime() ?? { reason, remedy }) };
}

function explained(error: Error, library: string, env: Environment): string {
  const { message, reason = message } = error as Error & { readonly reason?: string };
  if (reason !== NO_DEVICE) return reason;
  return [reason, ...whyNoDevice(library, env)].join('; ');
}

function begin(native: Addon): void {
  native.listen((code) => asyncErrors.tell(code));
  // The runtime's compiler registers exit handlers, so no build may run during exit().
  beforeExit(createRequire(modulePath), () => native.endBuilding());
}

/**
 * The path of the library of that file name that this process has loaded, for example through a
 * Python in it. Null if there is none. Never throws.
 */
function loadedLibrary(name: string): string | null {
  const line = mappings().find((one) => one.endsWith(`/${name}`));
  return line === undefined ? null : line.slice(line.indexOf('/'));
}

/** The lines of `/proc/self/maps`. */
function mappings(): string[] {
  try {
    return readFileSync('/proc/self/maps', 'utf8').split('\n');
  } catch {
    return []; // not Linux
  }
}
