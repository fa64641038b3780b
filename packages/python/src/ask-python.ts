import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ArrayInterfaceError } from '@array-interface/core';
import { whyUntrusted } from '@array-interface/core/backend';
import { modulePath } from './module-path.js';

const require = createRequire(modulePath);

/** What a Python program reports about itself. */
export interface PythonAnswer {
  /** `cpython`, or the name of another implementation. */
  readonly implementation: string;
  /** The program itself, if a shim was run. */
  readonly program: string;
  /** The folder of its environment. */
  readonly prefix: string;
  /** Its version, as `3.13.0`; ends in `t` for a free-threaded build. */
  readonly version: string;
  /** Files that may be its shared library, best first. */
  readonly libraries: readonly string[];
}

/**
 * The working folder, which `-c` searches first, may contain a json.py. A static Python names an
 * archive, but some have a shared library beside it.
 */
const QUESTION = `
import sys
sys.path = [p for p in sys.path if p]
import json, os, sysconfig
ask = lambda name: sysconfig.get_config_var(name) or ''
names = [ask('INSTSONAME')] + ['libpython' + ask('LDVERSION') + end for end in ('.so.1.0', '.so')]
base = getattr(sys, 'base_prefix', sys.prefix)
folders = [ask('LIBDIR'), os.path.join(ask('LIBDIR'), ask('MULTIARCH')), os.path.join(base, 'lib')]
print(json.dumps({
    'implementation': getattr(getattr(sys, 'implementation', None), 'name', 'cpython'),
    'program': sys.executable,
    'prefix': sys.prefix,
    'version': '.'.join(map(str, sys.version_info[:3])) + ('t' if ask('Py_GIL_DISABLED') else ''),
    'libraries': [os.path.join(f, n) for n in names if '.so' in n for f in folders],
}))
`;
const TIMEOUT_MS = 60_000;

/**
 * Runs a program, given by a path or a name on the PATH, to ask which Python it is. Blocks for some
 * 20 ms. Throws ERR_BACKEND_UNAVAILABLE if it does not run, or if another user could change the
 * program.
 */
export function askPython(program: string): PythonAnswer {
  // A bare name is looked up on the PATH, as a shell does.
  if (program.includes('/')) checkTrusted(program, 'venv');
  try {
    const answer = execFileSync(absolute(program), ['-c', QUESTION], {
      // Python searches it for modules, and the system resolves relative parts of the PATH against
      // it
      cwd: '/',
      encoding: 'utf8',
      env: { ...process.env, PYTHONUTF8: '1' }, // its folder may have any name
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: unknown = JSON.parse(answer.trim().split('\n').at(-1) ?? '');
    if (isAnswer(said)) return said;
    throw new Error('it does not say which Python it is');
  } catch (error) {
    throw new ArrayInterfaceError(
      'ERR_BACKEND_UNAVAILABLE',
      'venv',
      `expected a working Python, got ${program}: ${whyNot(program, error)}; ` +
        'install Python 3.10 or newer, or name an environment that has one with the option venv',
    );
  }
}

/** The same program from any working folder. A bare name is left for the PATH. */
function absolute(program: string): string {
  const isRelative = program.includes('/') && !program.startsWith('/');
  return isRelative ? `${process.cwd()}/${program}` : program;
}

/** Throws if another user could change a program or a library. */
export function checkTrusted(file: string, path: string): void {
  const why = whyUntrusted(file, require);
  if (why === null) return;
  throw new ArrayInterfaceError(
    'ERR_BACKEND_UNAVAILABLE',
    path,
    `expected a Python that no other user can change, got one where ${why}`,
  );
}

/** True if a Python program answered, and not another program of that name. */
function isAnswer(said: unknown): said is PythonAnswer {
  if (typeof said !== 'object' || said === null) return false;
  const { implementation, program, prefix, version, libraries } = said as Partial<PythonAnswer>;
  const areTexts = [implementation, program, prefix, version].every(isText);
  return areTexts && Array.isArray(libraries) && libraries.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function whyNot(program: string, error: unknown): string {
  const { code, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
  if (code === 'ENOENT') return 'there is no such program';
  if (program.includes('/') && !existsSync(program)) return 'there is no such program';
  const said = stderr?.trim().split('\n').at(-1);
  return said || code || (message.split('\n')[0] as string);
}
