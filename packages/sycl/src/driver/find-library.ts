import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isElevated, whyUntrusted } from '@array-interface/core/backend';
import { modulePath } from '../addon.js';

const require = createRequire(modulePath);

/** The file name of dpctl's C library. */
export const LIBRARY = 'libDPCTLSyclInterface.so';
/**
 * Locates the package without importing it, which could take long or fail. Ignores the working
 * folder, which `-c` searches first and which may hold another dpctl.
 */
const ASK_PYTHON = `import sys; sys.path = [p for p in sys.path if p]
import importlib.util as u; s = u.find_spec('dpctl'); print(s.submodule_search_locations[0] if s else '')`;
const PYTHON_TIMEOUT_MS = 5000;

/** Variables by name, in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a search for the runtime begins, and what it may examine. */
export interface SearchEnvironment {
  /** The environment variables that name libraries. */
  readonly env: Environment;
  /** The library that this process has already loaded, or null if none. Omit to skip this step. */
  readonly loaded?: string | null;
  /** Folders from which to search upwards for `.sycl-runtime`. */
  readonly folders: readonly string[];
  /** The runtime in the user's cache, or null if the user has none. Omit to skip this step. */
  readonly shared?: string | null;
}

/**
 * Yields real paths of dpctl's C library, best first:
 *
 * - the one that ARRAY_INTERFACE_DPCTL_LIBRARY names (then nothing else);
 * - the one that this process has loaded;
 * - `.sycl-runtime` of the folders' projects;
 * - the shared runtime in the user's cache;
 * - the active virtual or conda environment;
 * - the dpctl of python3.
 *
 * Skips files that another user could have put there, and a dpctl whose metadata reports a version
 * that is too old. A process with elevated privileges uses only the library that it has loaded.
 * Searches no further than the caller iterates, and adds each place without a library to `tried`.
 * Never throws. Running python3 blocks for at most 5 s.
 *
 * @example
 * ```ts
 * import { findLibraries } from '@array-interface/sycl';
 *
 * const tried: string[] = [];
 * const [library] = findLibraries({ env: process.env, folders: [process.cwd()] }, tried);
 * ```
 */
export function* findLibraries(
  environment: SearchEnvironment,
  tried: string[],
): Generator<string, void, undefined> {
  const { loaded } = environment;
  const isFree = !isElevated(require);
  const named = environment.env['ARRAY_INTERFACE_DPCTL_LIBRARY'];
  if (named && isFree) {
    const origin = 'ARRAY_INTERFACE_DPCTL_LIBRARY';
    const file = resolve(named);
    if (!existsSync(file)) tried.push(`${origin}: ${file} does not exist`);
    else if (mayBeLoaded(origin, file, tried)) yield realpathSync(file);
    return;
  }
  if (loaded === null) tried.push('this process: it has loaded no dpctl');
  else if (loaded !== undefined) yield loaded;
  if (!isFree) {
    tried.push(
      'elsewhere: not searched, since this process has more rights than the user who started it',
    );
    return;
  }
  const seen = new Set(loaded ? [loaded] : []);
  for (const [origin, file] of candidates(environment, tried)) {
    const library = realpathSync(file);
    const isNew = !seen.has(library);
    seen.add(library);
    if (isNew && mayBeLoaded(origin, file, tried)) yield library;
  }
}

/**
 * Whether no other user could have put the library there, and it is new enough. Does not open it.
 */
function mayBeLoaded(origin: string, file: string, tried: string[]): boolean {
  const why = whyUntrusted(file, require) ?? whyTooOld(realpathSync(file));
  if (why !== null) tried.push(`${origin}: ${why}`);
  return why === null;
}

/** The oldest dpctl that has all functions that the addon calls. */
const OLDEST = [0, 22] as const;

/**
 * Why the installer's metadata beside a dpctl is too old. Null if it is not, or if there is none.
 */
function whyTooOld(library: string): string | null {
  for (const name of namesIn(dirname(dirname(library)))) {
    const [, major, minor] = /^dpctl-(\d+)\.(\d+)\D.*\.dist-info$/.exec(name) ?? [];
    if (major === undefined || Number(major) > OLDEST[0] || Number(minor) >= OLDEST[1]) continue;
    return `${library} is of dpctl ${major}.${minor}; ${OLDEST.join('.')} or later is needed`;
  }
  return null;
}

/**
 * Returns the OpenCL driver that pip or conda installs beside a library's Python. Returns `''` if
 * there is none, or if another user could change it. Never throws.
 */
export function openClDriverOf(library: string): string {
  const driver = resolve(dirname(library), '../../../libintelocl.so');
  return existsSync(driver) && whyUntrusted(driver, require) === null ? driver : '';
}

function* candidates(
  environment: SearchEnvironment,
  tried: string[],
): Generator<[origin: string, file: string]> {
  for (const [origin, prefix] of prefixes(environment, tried)) {
    const file = fileUnder(prefix);
    if (file === null) tried.push(`${origin}: no dpctl in ${prefix}`);
    else yield [origin, file];
  }
  const asked = askPython(environment.env, tried);
  if (asked !== null) yield ['python3', asked];
}

function* prefixes(
  { env, folders, shared }: SearchEnvironment,
  tried: string[],
): Generator<[origin: string, prefix: string]> {
  for (const folder of folders) {
    const found = projectFolders(folder).find((one) => existsSync(join(one, '.sycl-runtime')));
    if (found === undefined) tried.push(`.sycl-runtime: none in ${folder} or its project`);
    else yield ['.sycl-runtime', join(found, '.sycl-runtime')];
  }
  if (shared === null) tried.push("the user's cache: no home folder, and no XDG_CACHE_HOME");
  else if (shared !== undefined) yield ["the user's cache", shared];
  for (const name of ['VIRTUAL_ENV', 'CONDA_PREFIX']) {
    const prefix = env[name];
    if (prefix) yield [name, prefix];
    else tried.push(`${name}: not set`);
  }
}

/**
 * A folder and its parents, up to its project: the nearest with a `.git`, or else the outermost
 * with a `package.json`. Never includes the temporary folder or the root, which every user can use.
 */
function projectFolders(folder: string): string[] {
  const everybodys = new Set(['/', tmpdir(), '/tmp', '/var/tmp']);
  const folders = above(folder);
  const end = folders.findIndex((one) => everybodys.has(one));
  const within = end < 0 ? folders : folders.slice(0, end);
  const has = (name: string) => (one: string) => existsSync(join(one, name));
  const repository = within.findIndex(has('.git'));
  const last = repository >= 0 ? repository : within.findLastIndex(has('package.json'));
  return within.slice(0, Math.max(last, 0) + 1);
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

/**
 * Returns the real path of dpctl's C library in a Python environment. Null if it has none, or none
 * that is readable.
 */
export function libraryUnder(prefix: string): string | null {
  const file = fileUnder(prefix);
  return file === null ? null : realpathSync(file);
}

function fileUnder(prefix: string): string | null {
  const lib = join(prefix, 'lib');
  const files = namesIn(lib)
    .filter((name) => /^python3/.test(name))
    .map((python) => join(lib, python, 'site-packages', 'dpctl', LIBRARY));
  return files.find((file) => existsSync(file)) ?? null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // does not exist, is not a folder, or belongs to another user
  }
}

function askPython(env: Environment, tried: string[]): string | null {
  try {
    const folder = execFileSync('python3', ['-c', ASK_PYTHON], {
      cwd: '/', // modules, and programs by a relative part of PATH, are searched for there
      env,
      encoding: 'utf8',
      timeout: PYTHON_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const library = join(folder, LIBRARY);
    if (folder !== '' && existsSync(library)) return library;
    tried.push('python3: it has no dpctl');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    tried.push(`python3: ${code ?? message.split('\n')[0]}`);
  }
  return null;
}
