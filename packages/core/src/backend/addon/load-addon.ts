import { ArrayInterfaceError } from '../../errors/error.js';
import type { Availability } from '../interface/device.js';
import { isElevated, type NodeRequire, whyUntrusted } from './trusted-path.js';

/** The function that every addon exports. */
export interface NativeAddon {
  /** Passes the addon the class of its errors. Later calls change nothing. */
  initialize(errorClass: typeof ArrayInterfaceError): void;
}

/** Where a backend's addon may be found. */
export interface AddonPlaces {
  /** The addon's file is NAME.node; its package is `@array-interface/NAME`. */
  readonly name: string;
  /** The folder of a checkout's own build. Ends with a slash. */
  readonly built: string;
  /** The systems that binaries are published for, such as `linux-x64-gnu`. */
  readonly targets: readonly string[];
  /** The backend's own `require`: it finds the packages that the backend depends on. */
  readonly require: NodeRequire;
}

/** Why a backend cannot be used on this machine. */
export type Unavailable = Extract<Availability, { available: false }>;

/** A loaded addon, or why it could not be loaded. */
export type LoadedAddon<T> = { readonly available: true; readonly addon: T } | Unavailable;

/** The first bytes of an ELF file, and the machines that its header names. */
const ELF = 0x7f454c46;
const MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' };

/**
 * Loads and initializes a backend's addon: from the folder that ARRAY_INTERFACE_ADDON_DIR names,
 * unless the process is elevated; else from the checkout's own build; else from the package of this
 * system's binaries. Never throws.
 */
export function loadAddon<T extends NativeAddon>(places: AddonPlaces): LoadedAddon<T> {
  const { name, built, require } = places;
  const folder = require('node:process').env.ARRAY_INTERFACE_ADDON_DIR;
  if (folder && !isElevated(require)) {
    const remedy = 'build it there, or unset ARRAY_INTERFACE_ADDON_DIR';
    const file = require('node:path').resolve(folder, `${name}.node`);
    const why = whyUntrusted(file, require);
    if (why !== null) return unavailable(`the ${name} addon is not loaded: ${why}`, [file], remedy);
    return load(file, remedy, places);
  }
  const own = `${built}${name}.node`;
  if (resolved(own, require) !== null) {
    return load(own, 'run `npm run setup` in the repository, which rebuilds it', places);
  }
  return loadPackaged(own, places);
}

/** A backend's addon, which is looked for once. */
export interface LazyAddon<T> {
  /** Returns the addon, or why there is none. Never throws. */
  readonly find: () => LoadedAddon<T>;
  /** Returns the addon. Throws ERR_BACKEND_UNAVAILABLE. */
  readonly get: () => T;
}

/** Loads and initializes a backend's addon at first use. `what` names it in errors. */
export function lazyAddon<T extends NativeAddon>(what: string, places: AddonPlaces): LazyAddon<T> {
  let found: LoadedAddon<T> | null = null;
  const find = () => {
    found ??= loadAddon<T>(places);
    return found;
  };
  const get = () => {
    const answer = find();
    if (answer.available) return answer.addon;
    throw backendUnavailable(what, answer);
  };
  return { find, get };
}

/** Loads the addon of the package that was installed for this system. */
function loadPackaged<T extends NativeAddon>(own: string, places: AddonPlaces): LoadedAddon<T> {
  const { name, built, targets, require } = places;
  const process = require('node:process');
  const { platform, arch } = process;
  const files = targets
    .filter((target) => target.startsWith(`${platform}-${arch}-`))
    .map((target) => `@array-interface/native-${target}/${name}.node`);
  if (files.length === 0) {
    return unavailable(
      `the ${name} addon is not built for ${platform}-${arch}, only for ${targets.join(', ')}`,
      [],
      'use one of these systems, or @array-interface/core alone, which runs everywhere',
    );
  }
  const found = files.filter((file) => resolved(file, require) !== null);
  const [file] = found.length > 1 ? found.filter((one) => one.includes(cLibrary(process))) : found;
  const again = `reinstall @array-interface/${name} on this machine, with its optional dependencies`;
  if (file === undefined) {
    const elsewhere = `or set ARRAY_INTERFACE_ADDON_DIR to a folder that has ${name}.node`;
    const reason = `the package with the ${name} addon for ${platform}-${arch} is not installed`;
    // Only a checkout has what the addon is built from.
    if (resolved(`${built}../../CMakeLists.txt`, require) === null) {
      return unavailable(reason, files, `${again}, ${elsewhere}`);
    }
    return unavailable(
      reason,
      [own, ...files],
      `run \`npm run setup\`, which builds it, ${elsewhere}`,
    );
  }
  const path = resolved(file, require) as string;
  return load(path, `${again}; it needs glibc 2.28 or newer, or musl`, places);
}

function resolved(id: string, require: NodeRequire): string | null {
  try {
    return require.resolve(id);
  } catch {
    return null;
  }
}

function load<T extends NativeAddon>(
  path: string,
  remedy: string,
  { name, require }: AddonPlaces,
): LoadedAddon<T> {
  try {
    const addon = require(path) as T;
    addon.initialize(ArrayInterfaceError);
    return { available: true, addon };
  } catch (error) {
    const why = wrongFile(path, require) ?? (error as Error).message.split('\n')[0];
    const reason = `the ${name} addon at ${path} cannot be loaded: ${why}`;
    return unavailable(reason, [path], remedy);
  }
}

/**
 * Returns what is wrong with a file that glibc does not report: it calls a file for another
 * processor missing. Null if nothing is.
 */
function wrongFile(path: string, require: NodeRequire): string | null {
  const { arch } = require('node:process');
  const { existsSync, readFileSync } = require('node:fs');
  if (!existsSync(path)) return 'there is no such file';
  try {
    const bytes = readFileSync(path);
    if (bytes.readUInt32BE(0) !== ELF) return null;
    const machine = MACHINES[bytes.readUInt16LE(18)] ?? 'another processor';
    return machine === arch ? null : `it is built for ${machine}, but this process is ${arch}`;
  } catch {
    return null; // not an ELF file, or not readable: the system's loader reports it
  }
}

function unavailable(reason: string, tried: readonly string[], remedy: string): Unavailable {
  return { available: false, reason, tried, remedy };
}

/** Returns the error of a backend that lacks a requirement, with everything that was tried. */
export function backendUnavailable(what: string, found: Unavailable): ArrayInterfaceError {
  const { reason, tried, remedy } = found;
  const places = tried.length === 0 ? '' : ` (tried ${tried.join('; ')})`;
  return new ArrayInterfaceError(
    'ERR_BACKEND_UNAVAILABLE',
    null,
    `expected ${what}, got none: ${reason}${places}; ${remedy}`,
  );
}

/** What Node's `process` reports about the C library. Its own type lacks the first of these. */
interface Report {
  excludeNetwork?: boolean;
  getReport(): { readonly header: { readonly glibcVersionRuntime?: string } };
}

/**
 * Returns the C library of a process on Linux, by the name used for packages of binaries. Node
 * takes some milliseconds to report it.
 */
export function cLibrary(process: { readonly report: object }): 'gnu' | 'musl' {
  const report = process.report as Report;
  const before = report.excludeNetwork ?? false;
  report.excludeNetwork = true; // resolving host names could take seconds
  const { header } = report.getReport();
  report.excludeNetwork = before;
  return header.glibcVersionRuntime === undefined ? 'musl' : 'gnu';
}
