import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LARGEST_SIDE } from '@array-interface/bench/random-layouts';

const program = fileURLToPath(new URL('peers.py', import.meta.url));

/** CuPy and PyTorch in a Python process of their own: GPU_PYTHON, or python3. */
export class Peers {
  #child;
  #lines;
  /** Versions of the installed libraries, by name. */
  versions = {};

  /** Starts the process. There may be no library that can be measured. */
  static async start() {
    const peers = new Peers();
    peers.#child = spawn(process.env.GPU_PYTHON ?? 'python3', [program, String(LARGEST_SIDE)], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    for (const end of [peers.#child, peers.#child.stdin]) end.on('error', () => {});
    peers.#lines = createInterface({ input: peers.#child.stdout })[Symbol.asyncIterator]();
    const { value } = await peers.#lines.next();
    if (value !== undefined) peers.versions = JSON.parse(value);
    return peers;
  }

  /** Nanoseconds of one copy; null if the library has no such copy. Rejects if the process has ended. */
  async nanoseconds(library, work) {
    this.#child.stdin.write(`${JSON.stringify([library, work])}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${library} ended the process at ${work}`);
    return JSON.parse(value);
  }

  end() {
    this.#child.stdin.end();
  }
}
