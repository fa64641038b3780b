import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runs } from '@array-interface/random';
import type { Subject } from './subject.js';

/** The time limit of a test, which is longer for more rounds. */
export const TIMEOUT_MS: number = 600_000 * Math.max(1, runs(1));

/** How a program ended. */
export interface Ended {
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of this package's programs on a backend, with an exposed garbage collector. */
export function runProgram(subject: Subject, program: string, ...rest: string[]): Promise<Ended> {
  const file = fileURLToPath(new URL(`../programs/${program}.mjs`, import.meta.url));
  const resolved = createRequire(join(subject.folder, 'x.js')).resolve(
    `@array-interface/${subject.name}`,
  );
  const args = ['--expose-gc', file, pathToFileURL(resolved).href, subject.name, ...rest];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      {
        cwd: subject.folder,
        timeout: TIMEOUT_MS * 0.9,
        env: { ...process.env, ...frugal(program) },
      },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : (error.signal ?? error.code ?? null);
        resolve({ status, stdout: stdout.trim(), stderr: stderr.trim() });
      },
    );
  });
}

/** Variables that keep a sanitizer from retaining freed memory, which would count as growth. */
function frugal(program: string): NodeJS.ProcessEnv {
  const { ASAN_OPTIONS: given } = process.env;
  if (!['rounds', 'operations'].includes(program) || given === undefined) return {};
  return { ASAN_OPTIONS: `${given}:quarantine_size_mb=0:thread_local_quarantine_size_kb=0` };
}

/** Returns the JSON that a program printed. Throws with all of its output unless it succeeded. */
export async function answer<T>(...args: Parameters<typeof runProgram>): Promise<T> {
  const { status, stdout, stderr } = await runProgram(...args);
  if (status === 0 && stderr === '') return JSON.parse(stdout) as T;
  throw new Error(`${args[1]} ended with ${status}:\n${stdout}\n${stderr}`);
}
