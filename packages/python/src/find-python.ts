import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ArrayInterfaceError } from '@array-interface/core';
import { isElevated } from '@array-interface/core/backend';
import { askPython, checkTrusted, type PythonAnswer } from './ask-python.js';
import { checkLibrary } from './check-library.js';
import { modulePath } from './module-path.js';
import type { StartOptions } from './start-options.js';

const require = createRequire(modulePath);

/** A Python that can be started in this process. */
export interface PythonInstallation {
  /** Path of the program whose environment it is. */
  readonly program: string;
  /** The folder of that environment. */
  readonly prefix: string;
  /** Path of its shared libpython. */
  readonly library: string;
  /** Its version, as `3.13.0`; ends in `t` for a free-threaded build. */
  readonly version: string;
}

/**
 * Finds a Python and its shared library: of an environment, of a library, of both, or otherwise of
 * the `python3` on the PATH. Runs one program; for a library alone, a few. Throws
 * ERR_BACKEND_UNAVAILABLE.
 */
export function findPython({ venv, library }: StartOptions = {}): PythonInstallation {
  if (library === undefined) {
    const found = usable(askPython(venv === undefined ? usualPython() : programOf(venv)));
    return placed(found, libraryOf(found));
  }
  const file = resolve(library);
  checkLibrary(file);
  return placed(venv === undefined ? ownerOf(file) : usable(askPython(programOf(venv))), file);
}

/** The program in a folder. A system's Python may be installed only under its longer name. */
function programOf(venv: string): string {
  const program = join(resolve(venv), 'bin', 'python');
  const longer = `${program}3`;
  return !existsSync(program) && existsSync(longer) ? longer : program;
}

/**
 * The python3 on the PATH. The system's, if this process has rights that its starter need not have,
 * who must not choose the program then.
 */
function usualPython(): string {
  return hasMoreRights() ? '/usr/bin/python3' : 'python3';
}

/** True if this process has rights that its starter need not have. */
export function hasMoreRights(): boolean {
  return isElevated(require);
}

/** Throws if another user could change the program or the library. */
function placed({ program, prefix, version }: PythonAnswer, library: string): PythonInstallation {
  checkTrusted(program, 'venv');
  checkTrusted(library, 'library');
  return { program, prefix: realpathSync(prefix), library: realpathSync(library), version };
}

/** Throws if this package cannot run it. */
function usable(answer: PythonAnswer): PythonAnswer {
  const { implementation, version, program } = answer;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (implementation === 'cpython' && major === 3 && minor >= 10) return answer;
  throw unavailable(
    'venv',
    `expected CPython 3.10 or newer, got ${implementation} ${version} (${program}); ` +
      'name an environment of a newer CPython with the option venv',
  );
}

/** The shared library that belongs to a program. */
function libraryOf({ libraries, program, version }: PythonAnswer): string {
  const found = libraries.find((file) => existsSync(file));
  if (found !== undefined) return found;
  const [major, minor] = version.split('.');
  throw unavailable(
    'library',
    `expected a shared libpython for ${program}, got a Python without one; install the package ` +
      `libpython${major}.${minor} (Debian, Ubuntu) or python${major}-libs (Fedora), build Python with ` +
      '--enable-shared, or name the file with the option library',
  );
}

/** The program that a library belongs to: it names the library, or has its version. */
function ownerOf(library: string): PythonAnswer {
  const version = /libpython(3\.\d+t?)/.exec(library)?.[1] ?? '3';
  const folder = dirname(realpathSync(library));
  const near = ['../bin', '../../bin'].map((bin) => join(folder, bin, `python${version}`));
  const answers: PythonAnswer[] = [];
  for (const program of ['python3', ...near, `python${version}`]) {
    const answer = answerOf(program);
    if (answer?.libraries.some((file) => isSame(file, library))) return usable(answer);
    if (answer !== null) answers.push(answer);
  }
  const like = answers.find((answer) => shortVersion(answer) === version);
  if (like !== undefined) return usable(like);
  throw unavailable(
    'library',
    `expected the Python program that ${library} belongs to, got none (looked on the PATH and in ` +
      `${dirname(near[0] as string)}); name its environment with the option venv too`,
  );
}

function answerOf(program: string): PythonAnswer | null {
  try {
    return askPython(program);
  } catch {
    return null; // another candidate may exist
  }
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}

function shortVersion({ version }: PythonAnswer): string {
  return version.replace(/\.\d+(t?)$/, '$1');
}

function unavailable(path: string, message: string): ArrayInterfaceError {
  return new ArrayInterfaceError('ERR_BACKEND_UNAVAILABLE', path, message);
}
