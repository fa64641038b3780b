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
 * Finds the package without running it, since that could take long or fail. The working folder, where
 * `-c` looks first, may have another dpctl.
 */
const ASK_PYTHON = `import sys; sys.path = [p for p in sys.path if p]
import importlib.util as u; s = u.find_spec('dpctl'); print(s.submodule_search_locations[0] if s else '')`;
const PYTHON_TIMEOUT_MS = 5000;

/** Variables by name, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a search begins, and what it may look at. */
export interface Surroundings {
  /** The environment that names libraries. */
  readonly env: Environment;
  /** The library that the process has loaded already; null: none. Left out, it is not asked for. */
  readonly loaded?: string | null;
  /** Folders from which it looks upwards for `.sycl-runtime`. */
  readonly folders: readonly string[];
  /** The runtime in the user's cache; null: the user has none. Left out, it is not looked for. */
  readonly shared?: string | null;
}

/**
 * Real paths of dpctl's C library, best first: ARRAY_INTERFACE_DPCTL_LIBRARY (then nothing else), the
 * one that the process has loaded, `.sycl-runtime` of the folders' projects, the shared runtime, the
 * active virtual or conda environment, the dpctl of python3. Passes over what another user could have
 * put there, and over a dpctl that says it is too old. A process with more rights than who started it
 * takes what it has loaded alone. Looks no further than the caller asks, and adds each place without
 * a library to `tried`. Never throws. Asking python3 blocks for at most 5 s.
 */
export function* findLibraries(
  surroundings: Surroundings,
  tried: string[],
): Generator<string, void, undefined> {
  const { loaded } = surroundings;
  const isFree = !isElevated(require);
  const named = surroundings.env['ARRAY_INTERFACE_DPCTL_LIBRARY'];
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
    tried.push('elsewhere: not looked at, since this process has more rights than who started it');
    return;
  }
  const seen = new Set(loaded ? [loaded] : []);
  for (const [origin, file] of candidates(surroundings, tried)) {
    const library = realpathSync(file);
    const isNew = !seen.has(library);
    seen.add(library);
    if (isNew && mayBeLoaded(origin, file, tried)) yield library;
  }
}

/** Whether nobody else could have put a library there, and it is new enough. It is not opened. */
function mayBeLoaded(origin: string, file: string, tried: string[]): boolean {
  const why = whyUntrusted(file, require) ?? whyTooOld(realpathSync(file));
  if (why !== null) tried.push(`${origin}: ${why}`);
  return why === null;
}

/** The oldest dpctl with all functions that the addon calls. */
const OLDEST = [0, 22] as const;

/** What the installer's record beside a dpctl says, where there is one. */
function whyTooOld(library: string): string | null {
  for (const name of namesIn(dirname(dirname(library)))) {
    const [, major, minor] = /^dpctl-(\d+)\.(\d+)\D.*\.dist-info$/.exec(name) ?? [];
    if (major === undefined || Number(major) > OLDEST[0] || Number(minor) >= OLDEST[1]) continue;
    return `${library} is of dpctl ${major}.${minor}; ${OLDEST.join('.')} or later is needed`;
  }
  return null;
}

/** The OpenCL driver that pip or conda puts beside a library's Python; `''`: none, or one that another user could change. */
export function openClDriverOf(library: string): string {
  const driver = resolve(dirname(library), '../../../libintelocl.so');
  return existsSync(driver) && whyUntrusted(driver, require) === null ? driver : '';
}

function* candidates(
  surroundings: Surroundings,
  tried: string[],
): Generator<[origin: string, file: string]> {
  for (const [origin, prefix] of prefixes(surroundings, tried)) {
    const file = fileUnder(prefix);
    if (file === null) tried.push(`${origin}: no dpctl in ${prefix}`);
    else yield [origin, file];
  }
  const asked = askPython(surroundings.env, tried);
  if (asked !== null) yield ['python3', asked];
}

function* prefixes(
  { env, folders, shared }: Surroundings,
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
 * A folder and those above it, up to the one that is its project: the nearest with a `.git`, or else
 * the outermost with a `package.json`. Never the temporary folder or the root, which are everybody's.
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

/** The real path of dpctl's C library in a Python environment; null: it has none, or none that may be read. */
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
    return []; // not there, not a folder, or another user's
  }
}

function askPython(env: Environment, tried: string[]): string | null {
  try {
    const folder = execFileSync('python3', ['-c', ASK_PYTHON], {
      cwd: '/', // Python looks for modules there, and so do programs by a relative part of the PATH
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
