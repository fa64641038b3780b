import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** For vitest when nothing else is running. By default it leaves a core free. */
export const onAllCores = `--maxWorkers=${os.availableParallelism()}`;

/** The environment with the commands of the repository's own packages first on PATH. */
export function environment() {
  const bin = path.join(root, 'node_modules', '.bin');
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
}

/** Runs a command on this terminal and returns its exit status; 127 if it cannot be started. */
export function run(command, args, { cwd = root, env = environment() } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      resolve(127);
    });
    child.on('exit', (status, signal) => resolve(signal === null ? status : 128));
  });
}
