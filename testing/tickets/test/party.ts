import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Ticket as CudaTicket } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import type { Ticket as HostTicket } from '@array-interface/host';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PYTHON = path('../../../.sycl-runtime/bin/python');
const COMMANDS = {
  node: [process.execPath, path('../programs/party.mjs')],
  python: [PYTHON, path('../programs/party.py')],
} as const;

export type { CudaTicket };
/** A ticket for other processes. */
export type Ticket = CudaTicket | HostTicket;
/** The language of a process's program. */
export type Language = keyof typeof COMMANDS;

/** The error with which a process refused a request. */
export interface Refusal {
  readonly code: string;
  readonly path: string | null;
  readonly message: string;
}

/** A process's reply to a request. */
export type Reply<T = unknown> = { readonly answer: T } | { readonly error: Refusal };

/** A process that shares arrays and opens tickets: programs/party.mjs or party.py. */
export class Party implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  /** Runs as another user if one is named. */
  constructor(language: Language, user?: number) {
    const [command, program] = COMMANDS[language];
    if (!existsSync(command)) throw new Error(`expected ${command}; npm test makes it`);
    this.#child = spawn(command, [program], {
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(user === undefined ? {} : { uid: user, gid: user }),
      env: {
        ...process.env,
        ARRAY_INTERFACE_LIBCUDA: process.env.ARRAY_INTERFACE_LIBCUDA || libraryPath,
        PYTHONPATH: path('../../../pip/src'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Returns the reply to a request. Rejects if the process has ended. */
  async reply<T>(name: string, request: object = {}): Promise<Reply<T>> {
    this.#child.stdin.write(`${JSON.stringify({ name, ...request })}\n`);
    const { value: line, done } = await this.#lines.next();
    if (done)
      throw new Error(`the process ended with ${await this.#end()} on ${JSON.stringify(request)}`);
    return JSON.parse(line);
  }

  /** Returns the answer to a request. Rejects if the process refuses it. */
  async ask<T>(name: string, request: object = {}): Promise<T> {
    const reply = await this.reply<T>(name, request);
    if ('error' in reply) throw new Error(JSON.stringify(reply.error));
    return reply.answer;
  }

  /** Returns the refusal of a request. Rejects if the process answers it. */
  async refusal(name: string, request: object = {}): Promise<Refusal> {
    const reply = await this.reply(name, request);
    if ('answer' in reply)
      throw new Error(`expected a refusal, got ${JSON.stringify(reply.answer)}`);
    return reply.error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  async #end(): Promise<string> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return String(signalCode ?? exitCode);
    const [status, signal] = await once(this.#child, 'exit');
    return String(signal ?? status);
  }
}
