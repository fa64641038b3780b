import { type ChildProcess, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { venv } from './environment.js';

/** How a program ended. */
export interface Ended {
  /** Its status, or the name of the signal that ended it. */
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** What the program reads as ARGUMENT. */
  readonly argument?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly flags?: readonly string[];
  /** Of new threads. */
  readonly stackBytes?: number;
  /** Sees the process as soon as it runs. */
  readonly watch?: (child: ChildProcess) => void;
}

const folder = fileURLToPath(new URL('../programs/', import.meta.url));

/**
 * Runs programs/NAME.mjs, or the text of a module, in a process of its own. It finds the tests'
 * environment in ARRAY_INTERFACE_TEST_PYTHON.
 */
export function runProgram(program: string, options: RunOptions = {}): Promise<Ended> {
  const { argument = '', flags = [], stackBytes, watch } = options;
  const inherited = { ...process.env, ARRAY_INTERFACE_TEST_PYTHON: venv, ARGUMENT: argument };
  const env = { ...inherited, ...options.env };
  const what = program.endsWith('.mjs') ? [program] : ['--input-type=module', '--eval', program];
  const limit = stackBytes === undefined ? [] : ['prlimit', `--stack=${stackBytes}`];
  const [command, ...parameters] = [...limit, process.execPath, ...flags, ...what] as [string];
  return new Promise((resolve) => {
    const done = (error: Error | null, stdout: string, stderr: string) => {
      const { signal, code } = (error ?? { code: 0 }) as { signal?: string; code?: number };
      const status = signal ?? code ?? null;
      resolve({ status, stdout: stdout.trim(), stderr: stderr.trim() });
    };
    const child = execFile(command, parameters, { cwd: folder, env }, done);
    watch?.(child);
  });
}
