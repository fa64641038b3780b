import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * The program of a process with a package: it runs the code it is sent, with the package's exports
 * in scope.
 */
const programOf = (module: string, backend: string) => `
  import { ${backend}, liveAllocations } from '${module}';
  const state = {};
  // As test/for-processes.ts.
  const forProcesses = (array) => {
    const { thread, ...ticket } = ${backend}.share(array);
    ${backend}.openShared({ thread })[Symbol.dispose]();
    return ticket;
  };
  const AsyncFunction = (async () => {}).constructor;
  process.on('message', async ({ code, value }) => {
    try {
      const run = new AsyncFunction('${backend}', 'liveAllocations', 'state', 'value', 'forProcesses', code);
      process.send({ answer: (await run(${backend}, liveAllocations, state, value, forProcesses)) ?? null });
    } catch ({ code, path, message }) {
      process.send({ error: { code, path, message } });
    }
  });`;

export interface OtherProcessOptions {
  /** The package, and the name of its backend. */
  readonly module: string;
  readonly backend: string;
  /** A folder from which Node resolves the package. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What another process refused. */
export interface Refusal {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

type Reply = { readonly answer: unknown } | { readonly error: Refusal };

/** Another process with a package, controlled by messages, as in an application. */
export class OtherProcess implements AsyncDisposable {
  readonly #child: ChildProcess;

  constructor({ module, backend, folder, env = {} }: OtherProcessOptions) {
    const program = ['--input-type=module', '--eval', programOf(module, backend)];
    this.#child = spawn(process.execPath, program, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  /**
   * Returns the result of the body of an async function there. `value` is sent along; `state` stays
   * there.
   */
  async run<T>(code: string, value: unknown = null): Promise<T> {
    const reply = await this.#ask(code, value);
    if ('error' in reply) throw new Error(JSON.stringify(reply.error));
    return reply.answer as T;
  }

  /** Returns what it throws there. */
  async refusal(code: string, value: unknown = null): Promise<Refusal> {
    const reply = await this.#ask(code, value);
    if ('answer' in reply) throw new Error(`expected a refusal, got ${reply.answer}`);
    return reply.error;
  }

  /** Kills it without notice, as a crash would. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill();
  }

  async #ask(code: string, value: unknown): Promise<Reply> {
    const asked = new AbortController();
    const { signal } = asked;
    this.#child.send({ code, value });
    const ended = once(this.#child, 'exit', { signal }).then(([status, by]) => {
      throw new Error(`the other process ended with ${status ?? by}`);
    });
    const replied = once(this.#child, 'message', { signal });
    for (const wait of [ended, replied]) wait.catch(() => {}); // the one that is not awaited
    const [reply] = (await Promise.race([replied, ended])) as [Reply];
    asked.abort();
    return reply;
  }
}
