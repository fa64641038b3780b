import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The Python of an environment that `npm run setup:peers` makes, or null where it was not made. */
export function peerPython(environment) {
  const python = path(`../.peers/${environment}/bin/python`);
  return existsSync(python) ? python : null;
}

/** Runs python/`program`.py with the simulator as its CUDA driver; it answers a line for each line. */
export class Peers {
  #child;
  #lines;
  #errors = '';

  constructor(program, python) {
    const simulator = path('../packages/cuda-simulator/bin/cuda-simulator.js');
    this.#child = spawn(process.execPath, [simulator, python, path(`python/${program}.py`)]);
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#errors += text;
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** What it answers to `request`, both as JSON. Rejects when it ends instead. */
  async ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`Python ended: ${this.#errors}`);
    return JSON.parse(value);
  }

  end() {
    this.#child.stdin.end();
  }
}
