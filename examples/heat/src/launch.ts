import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Arguments, readArguments, writeArguments } from './arguments.js';
import { Refusal } from './refusal.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * The command that starts a job: ranks in Node, and, if there is more than one, a last one in plain
 * Python. `mpiexec` starts Node itself: a shell or npm between them would keep MPI's socket.
 */
export function commandOf(given: Arguments): [program: string, ...args: string[]] {
  const bin = path.join(given.venv, 'bin');
  const own = path.join(bin, 'mpiexec');
  const { rows, columns, steps } = given;
  const field = Object.entries({ rows, columns, steps });
  const inNode = [process.execPath, here('../bin/rank.js'), ...writeArguments(given)];
  // -m mpi4py: an exception ends the whole job.
  const inPython = [path.join(bin, 'python'), '-m', 'mpi4py', here('../python/heat.py')];
  const options = field.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const mpiexec = existsSync(own) ? own : 'mpiexec';
  if (given.ranks === 1) return [mpiexec, '-n', '1', ...inNode];
  const plain = [':', '-n', '1', ...inPython, ...options];
  return [mpiexec, '-n', String(given.ranks - 1), ...inNode, ...plain];
}

/** Runs a job with the arguments of the command line. Settles with its exit status. */
export async function launch(args: readonly string[]): Promise<number> {
  try {
    const [program, ...rest] = commandOf(readArguments(args));
    return await new Promise((resolve, reject) => {
      const job = spawn(program, rest, { stdio: 'inherit' });
      job.once('error', (error) => {
        reject(new Refusal(`expected mpiexec in --venv or on the PATH, got: ${error.message}`));
      });
      job.once('exit', (status) => resolve(status ?? 1));
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    return 1;
  }
}
