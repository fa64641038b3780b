import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** An environment of Python in .peers. */
export type Environment =
  | 'sycl'
  | 'cuda'
  | 'pycuda'
  | 'cupy'
  | 'python'
  | 'torch'
  | 'torch-cuda'
  | 'jax-cuda'
  | 'mypy';

/** The file of an environment's Python; `npm run setup:peers` makes it. */
export function pythonOf(environment: Environment): string {
  return path(`../../../../.peers/${environment}/bin/python`);
}

/** The command that runs another with the CUDA simulator as its driver. */
export const simulator: readonly [string, string] = [
  process.execPath,
  path('../../../../packages/cuda-simulator/bin/cuda-simulator.js'),
];

/** What a Python program writes on the simulator: its output, then its errors and the report of what it leaves. */
export function written(
  environment: Environment,
  program: string,
  env: NodeJS.ProcessEnv = {},
): string {
  const [node, command] = simulator;
  const { stdout, stderr } = spawnSync(
    node,
    [command, pythonOf(environment), '-W', 'ignore', '-c', program],
    { encoding: 'utf8', env: { ...process.env, ...env, CUDA_SIMULATOR_LEAKS: '1' } },
  );
  return stdout + stderr;
}

/** What the report says of a program that leaves nothing. */
export const nothingLeft = 'cuda-simulator: leaks: 0 allocations, 0 streams, 0 events\n';

/** The pip package of this repository, for Python's search path. */
export const pipPackage: string = path('../../../../pip/src');

/** An error of Python, with its message: `ValueError: …`. */
export class PythonError extends Error {}

/** A Python program that answers requests, one after another; see python/support/lines.py. */
export class Python implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  /** Settles with the signal or the status with which it ended. */
  readonly #ended: Promise<string>;
  #errors = '';

  /** Starts python/`program`.py with the command in front of it. */
  constructor(program: string, command: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const [first = '', ...rest] = [...command, path(`../../python/${program}.py`)];
    this.#child = spawn(first, rest, {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: pipPackage, ...env },
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    this.#ended = new Promise((resolve) =>
      this.#child.once('exit', (status, signal) => resolve(signal ?? `status ${status}`)),
    );
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Returns the value of one call. Rejects with a PythonError if it raises, with an Error if Python ends. */
  async call<T>(name: string, ...parameters: readonly unknown[]): Promise<T> {
    this.#child.stdin.write(`${writeMessage(name, parameters)}\n`);
    const { value: line, done } = await this.#answers.next();
    if (done) throw new Error(`Python ended, with ${await this.#ended}: ${this.#errors}`);
    return parseMessage(line);
  }

  /** Ends the program, if it has not ended before. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }
}

/** A request as python/support/messages.py reads it. */
export function writeMessage(name: string, parameters: readonly unknown[]): string {
  return JSON.stringify({ call: name, with: parameters }, large);
}

/** Returns the value of an answer. Throws a PythonError if it is an exception. */
export function parseMessage<T>(line: string): T {
  const answer = JSON.parse(line, revive);
  if ('error' in answer) throw new PythonError(answer.error);
  return answer.value;
}

function large(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $int: String(value) } : value;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && '$int' in value) {
    return BigInt(value.$int as string);
  }
  return value;
}
