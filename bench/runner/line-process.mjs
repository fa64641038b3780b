import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that answers each line of JSON with one. */
export class LineProcess {
  #child;
  #lines;
  #errors = '';

  constructor([program, ...args], env = {}) {
    this.#child = spawn(program, args, { env: { ...process.env, ...env } });
    this.#child.stdin.on('error', () => {}); // it ended; `ask` reports that
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.#errors += text;
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Returns the answer to `request`. Rejects if the process ends instead. */
  async ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`it ended: ${this.#errors.trim().split('\n').at(-1)}`);
    return JSON.parse(value);
  }

  end() {
    this.#child.stdin.end();
  }
}
