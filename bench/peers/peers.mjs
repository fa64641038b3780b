import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Command prefix for Python, and its driver's environment. */
const ENVIRONMENTS = {
  cuda: {
    command: [process.execPath, path('../../packages/cuda-simulator/bin/cuda-simulator.js')],
    env: { CUDA_SIMULATOR_SCHEDULE: 'eager' },
  },
  sycl: {
    command: [],
    env: { OCL_ICD_FILENAMES: path('../../.peers/sycl/lib/libintelocl.so') },
  },
  torch: { command: [], env: {} },
};

const pythonOf = (environment) => path(`../.peers/${environment}/bin/python`);

/** Runs `program`.py with arguments; it answers each line with a line. */
class Peers {
  #child;
  #lines;
  #errors = '';

  constructor(program, environment, args) {
    const { command, env } = ENVIRONMENTS[environment];
    const own = [pythonOf(environment), path(`${program}.py`), ...args.map(String)];
    const [first, ...rest] = [...command, ...own];
    this.#child = spawn(first, rest, { env: { ...env, ...process.env } });
    this.#child.stdin.on('error', () => {}); // it ended; `ask` reports that
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#errors += text;
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Returns the answer to `request`, both as JSON. Rejects if the process ends instead. */
  async ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`Python ended: ${this.#errors.trim().split('\n').at(-1)}`);
    return JSON.parse(value);
  }

  end() {
    this.#child.stdin.end();
  }
}

/**
 * A Python program of peers in an environment that `npm run setup:peers` creates, and its
 * arguments. If that was not created, `contender` returns null, and `missing` says so.
 */
export function startPeers(program, environment, ...args) {
  if (!existsSync(pythonOf(environment))) {
    const command = `npm run setup:peers -- ${environment}`;
    const missing = [`peers of the ${environment} environment: make it with ${command}`];
    return { missing, contender: () => null, end() {} };
  }
  const peers = new Peers(program, environment, args);
  return { missing: [], contender: (request) => () => peers.ask(request), end: () => peers.end() };
}

/** Peers that start when first used: their imports would slow earlier measurements. */
export function latePeers(program, environment) {
  let peers = null;
  const started = () => {
    peers ??= startPeers(program, environment);
    return peers;
  };
  return {
    contender: (request) => started().contender(request),
    end: () => peers?.end(),
    missing: () => started().missing,
  };
}
