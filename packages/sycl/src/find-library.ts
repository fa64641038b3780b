import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

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
 * one that the process has loaded, `.sycl-runtime` in the folders or above, the shared runtime, the
 * active virtual or conda environment, the dpctl of python3. Looks no further than the caller asks,
 * and adds each place without a library to `tried`. Never throws. Asking python3 blocks for at most 5 s.
 */
export function* findLibraries(
  surroundings: Surroundings,
  tried: string[],
): Generator<string, void, undefined> {
  const { env, loaded } = surroundings;
  const named = env['ARRAY_INTERFACE_DPCTL_LIBRARY'];
  if (named) {
    const file = resolve(named);
    if (existsSync(file)) yield realpathSync(file);
    else tried.push(`ARRAY_INTERFACE_DPCTL_LIBRARY: ${file} does not exist`);
    return;
  }
  if (loaded === null) tried.push('this process: it has loaded no dpctl');
  else if (loaded !== undefined) yield loaded;
  const seen = new Set(loaded ? [loaded] : []);
  for (const [origin, prefix] of prefixes(surroundings, tried)) {
    const library = libraryUnder(prefix);
    if (library === null) tried.push(`${origin}: no dpctl in ${prefix}`);
    else if (!seen.has(library)) yield library;
    if (library !== null) seen.add(library);
  }
  const asked = askPython(env, tried);
  if (asked !== null && !seen.has(asked)) yield asked;
}

/** The OpenCL driver that pip or conda puts beside a library's Python, or `''`. */
export function openClDriverOf(library: string): string {
  const driver = resolve(dirname(library), '../../../libintelocl.so');
  return existsSync(driver) ? driver : '';
}

function* prefixes(
  { env, folders, shared }: Surroundings,
  tried: string[],
): Generator<[origin: string, prefix: string]> {
  for (const folder of folders) {
    const found = above(folder).find((one) => existsSync(join(one, '.sycl-runtime')));
    if (found === undefined) tried.push(`.sycl-runtime: none in ${folder} or above`);
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

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

/** dpctl's C library in a Python environment; null: it has none, or none that may be read. */
export function libraryUnder(prefix: string): string | null {
  const lib = join(prefix, 'lib');
  for (const python of namesIn(lib).filter((name) => /^python3/.test(name))) {
    const library = join(lib, python, 'site-packages', 'dpctl', LIBRARY);
    if (existsSync(library)) return realpathSync(library);
  }
  return null;
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
      env,
      encoding: 'utf8',
      timeout: PYTHON_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const library = join(folder, LIBRARY);
    if (folder !== '' && existsSync(library)) return realpathSync(library);
    tried.push('python3: it has no dpctl');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    tried.push(`python3: ${code ?? message.split('\n')[0]}`);
  }
  return null;
}
