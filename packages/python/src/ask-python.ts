import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ArrayInterfaceError } from '@array-interface/core';
import { whyUntrusted } from '@array-interface/core/backend';
import { modulePath } from './module-path.js';

const require = createRequire(modulePath);

/** What a Python program says of itself. */
export interface PythonAnswer {
  /** `cpython`, or the name of another implementation. */
  readonly implementation: string;
  /** The program itself: what a shim stands for. */
  readonly program: string;
  /** The folder of its environment. */
  readonly prefix: string;
  /** As `3.13.0`; with `t` behind it for a free-threaded build. */
  readonly version: string;
  /** Files that may be its shared library, best first. */
  readonly libraries: readonly string[];
}

/**
 * The working folder, where `-c` looks first, may have a json.py. A static Python names an archive, and
 * some have a shared library beside it.
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
 * Asks a program which Python it is: a path, or a name on the PATH. Runs it once, which takes some
 * 20 ms and blocks. Throws ERR_BACKEND_UNAVAILABLE if it does not run, and where another user
 * could change the program.
 */
export function askPython(program: string): PythonAnswer {
  // A name is for the PATH, as a shell takes it.
  if (program.includes('/')) checkTrusted(program, 'venv');
  try {
    const answer = execFileSync(absolute(program), ['-c', QUESTION], {
      cwd: '/', // Python looks for modules there, and so do programs by a relative part of the PATH
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
      `expected a Python that runs, got ${program}: ${whyNot(program, error)}; ` +
        'install Python 3.10 or newer, or name an environment that has one with the option venv',
    );
  }
}

/** The same program from any folder. A name is for the PATH. */
function absolute(program: string): string {
  const isRelative = program.includes('/') && !program.startsWith('/');
  return isRelative ? `${process.cwd()}/${program}` : program;
}

/** Throws for a program or a library that another user could change. */
export function checkTrusted(file: string, path: string): void {
  const why = whyUntrusted(file, require);
  if (why === null) return;
  throw new ArrayInterfaceError(
    'ERR_BACKEND_UNAVAILABLE',
    path,
    `expected a Python that nobody else can change, got one where ${why}`,
  );
}

/** Whether a program has answered, and not something that only bears a Python's name. */
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
