import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The root folder of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** For vitest when nothing else is running. By default it leaves a core free. */
export const onAllCores = `--maxWorkers=${os.availableParallelism()}`;

/** Whether a module is the program of this process, rather than imported. */
export const isProgram = ({ url }) => url === pathToFileURL(process.argv[1]).href;

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

/** Runs a command on this terminal. Throws if it fails. */
export async function must(command, args, options) {
  const status = await run(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: status ${status}`);
}

/**
 * Runs a command. Returns its exit status and its output, which includes its errors. After a limit
 * kills it with everything that it started; then `hung` is true.
 */
export function capture(command, args, { cwd = root, env = environment(), limit } = {}) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd, env, stdio, detached: limit !== undefined });
    let output = '';
    let hung = false;
    const kill = () => {
      hung = true;
      process.kill(-child.pid, 'SIGKILL');
    };
    const timer = limit === undefined ? undefined : setTimeout(kill, limit);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ status: status ?? 128, output, hung });
    });
  });
}

/** Runs a command, and returns its output. Throws, with the last lines of that, if it fails. */
export async function outputOf(command, args, options) {
  const { status, output } = await capture(command, args, options);
  if (status === 0) return output;
  const end = output.trim().split('\n').slice(-10).join('\n');
  throw new Error(`${command} ${args.join(' ')}: status ${status}\n${end}`);
}

/** Runs the job of a script. If it fails, prints why, and this process will end with status 1. */
export async function job(act, failure = '') {
  try {
    await act();
  } catch (error) {
    console.error(`${failure}${error.message}`);
    process.exitCode = 1;
  }
}
