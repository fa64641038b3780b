import { checkThat, unchecked } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import type { PyObject } from '../objects/py-object.js';
import { readOwnOptions } from '../own-options.js';

/** Names and values for code: a dict of Python, or what is copied into one. */
export type Names = PyObject | Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;

/** Options of `Python.exec` and `Python.eval`. */
export interface CodeOptions {
  /**
   * The file that tracebacks and Python's `inspect` name. Default: a name of its own, such as
   * `<exec 1>`.
   */
  readonly filename?: string;
  /**
   * The global names of the code, and of the functions that it defines. Default: those of
   * `__main__`; in a worker, a dict of the worker's own. Pass `python.dict()` to read from it what
   * the code has defined.
   */
  readonly globals?: Names;
  /** The local names, which come before the global ones. Default: `globals`. */
  readonly locals?: Names;
}

const isFile = (value: unknown) => typeof value === 'string' && value !== '';
const CHECKS = {
  filename: checkThat(isFile, 'a name or a path'),
  globals: unchecked,
  locals: unchecked,
};

/** Implements `Python.exec` and `Python.eval`. */
export function runCode(mode: 'exec' | 'eval', code: string, options: CodeOptions = {}): unknown {
  const { filename, globals, locals } = readOwnOptions(options, CHECKS);
  const text = typeof code === 'string' ? dedent(code) : code;
  const source = mode === 'eval' && typeof text === 'string' ? text.trim() : text;
  return addon()[mode](source, filename, globals, locals);
}

/** Takes the indentation away that all lines have, blank ones aside. */
function dedent(code: string): string {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  let margin = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  for (const line of lines) {
    while (!line.startsWith(margin)) margin = margin.slice(0, -1);
  }
  return margin === '' ? code : code.replaceAll(new RegExp(`^${margin}`, 'gm'), '');
}
