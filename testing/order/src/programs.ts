import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { ABILITIES } from './abilities.js';
import { type Choice, choices } from './choice.js';
import { plan } from './plan.js';
import type { Failure } from './scene.js';
import { show } from './show.js';
import type { Step } from './steps.js';

/** Milliseconds after which a program counts as hanging. */
const PATIENCE_MS = 60_000;
/** Milliseconds that are spent on making a failing program smaller. */
const SHRINKING_MS = 60_000;

/** A backend under test. */
export interface Subject {
  readonly name: 'cuda' | 'sycl';
  /** Variables of the process, the schedule among them. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A message of the process: that it is ready, how a program went, or nothing more. */
type Message =
  | 'ready'
  | { readonly failure: Failure | null }
  | { readonly failure?: never; readonly end: string };

/** A process that runs programs. After a failure, which may have broken it, another one starts. */
class Worker implements Disposable {
  readonly #subject: Subject;
  #child: ChildProcess | null = null;
  #output = '';
  #step = -1;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async run(steps: readonly Step[], patience: number): Promise<Failure | null> {
    const child = await this.#ready();
    const failure = await this.#answer(child, steps, patience);
    if (failure !== null) this[Symbol.dispose]();
    return failure;
  }

  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #ready(): Promise<ChildProcess> {
    if (this.#child !== null) return this.#child;
    const { name, environment } = this.#subject;
    const child = fork(fileURLToPath(new URL('../dist/child.js', import.meta.url)), [name], {
      execArgv: ['--expose-gc'],
      env: { ...process.env, ...environment },
      serialization: 'json',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    });
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      this.#step = Number(text.trimEnd().split(' ').at(-1));
    });
    this.#child = child;
    this.#output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    const first = await this.#message(child, 120_000);
    if (first !== 'ready') throw new Error(`the process did not begin: ${JSON.stringify(first)}`);
    return child;
  }

  async #answer(child: ChildProcess, steps: readonly Step[], patience: number) {
    const answer = this.#message(child, patience);
    child.send(steps);
    const got = await answer;
    if (got === 'ready') throw new Error('the process began twice');
    return got.failure === undefined ? { step: this.#step, text: got.end } : got.failure;
  }

  #message(child: ChildProcess, patience: number): Promise<Message> {
    return new Promise((resolve) => {
      const gone = (status: number | null, signal: string | null) => {
        done({ end: `the process ended with ${signal ?? status}:\n${this.#output.trim()}` });
      };
      const timer = setTimeout(() => done({ end: `no end within ${patience / 1000} s` }), patience);
      const done = (message: Message) => {
        clearTimeout(timer);
        child.off('exit', gone).off('message', done);
        resolve(message);
      };
      child.once('exit', gone).once('message', done);
    });
  }
}

/** The report of a program that failed. */
function report(steps: readonly Step[], { step, text }: Failure): string {
  const where = step === -1 ? 'At its end' : `Line ${step + 1}`;
  return `${show(steps)}\n${where}: ${text}`;
}

/**
 * Runs random programs of ours beside a stranger that keeps the rules of the standard, in a process
 * with that environment. Reads must give what they would if each step ended before the next began.
 * Nothing may fail, and nothing be left. Rejects with the smallest failing program, in words, and
 * its seed.
 */
export async function checkPrograms(subject: Subject, count: number): Promise<void> {
  using worker = new Worker(subject);
  let failedAt: number | null = null;
  let smallest = '';
  const known = new Map<string, Failure | null>();
  const property = fc.asyncProperty(choices, async (drawn: readonly Choice[]) => {
    if (failedAt !== null && Date.now() > failedAt + SHRINKING_MS) return;
    const steps = plan(drawn, ABILITIES[subject.name]);
    const patience = failedAt === null ? PATIENCE_MS : PATIENCE_MS / 6;
    const key = JSON.stringify(steps);
    const before = known.get(key); // numbers that no choice uses make no other program
    const failure = before === undefined ? await worker.run(steps, patience) : before;
    known.set(key, failure);
    if (failure === null) return;
    failedAt ??= Date.now();
    smallest = report(steps, failure);
    throw new Error(failure.text);
  });
  const { failed, seed, numRuns } = await fc.check(property, random(count));
  if (!failed) return;
  throw new Error(`program ${numRuns} failed; FAST_CHECK_SEED=${seed} repeats this\n${smallest}`);
}
