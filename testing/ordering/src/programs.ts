import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { randomSeed } from '@array-interface/random';
import fc from 'fast-check';
import type { Order, Request } from './child.js';
import { FAULT_KINDS } from './faults/fault-kinds.js';
import { randomFaults, showFaults } from './faults/faults.js';
import type { Failure } from './run/scene.js';
import { ABILITIES } from './steps/abilities.js';
import { choices } from './steps/choice.js';
import { plan } from './steps/plan.js';
import { show } from './steps/show.js';

/** Milliseconds after which a program is considered to hang. */
const TIMEOUT_MS = 60_000;
/** Milliseconds spent on shrinking a failing program. */
const SHRINKING_MS = 60_000;

/** A backend under test. */
export interface Subject {
  readonly name: 'cuda' | 'sycl';
  /** Variables of the process, including the schedule. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A message of the process: that it is ready, how a program went, or nothing more. */
type Message =
  | 'ready'
  | { readonly failure: Failure | null; readonly isSpent?: boolean }
  | { readonly failure?: never; readonly end: string };

/**
 * A process that runs programs. It is replaced after a failure, which may have broken it, and after
 * a program that must end the process itself, such as one that lost the context.
 */
class Worker implements Disposable {
  readonly #subject: Subject;
  #child: ChildProcess | null = null;
  #output = '';
  #step = -1;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async run(order: Order, timeout: number): Promise<Failure | null> {
    const child = await this.#ready();
    const failure = await this.#answer(child, order, timeout);
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

  async #answer(child: ChildProcess, order: Order, timeout: number): Promise<Failure | null> {
    if (!child.connected) return { step: -1, text: this.#gone(child.exitCode, child.signalCode) };
    const answer = this.#message(child, timeout);
    const request: Request = { order, timeout };
    child.send(request, () => {}); // if the child is gone, its exit reports it
    const got = await answer;
    if (got === 'ready') throw new Error('the process began twice');
    if (got.failure === undefined) return { step: this.#step, text: got.end };
    if (!got.isSpent || got.failure !== null) return got.failure;
    this.#child = null;
    return this.#end(child, timeout);
  }

  /** What is wrong with the end of a process that runs no more programs. */
  async #end(child: ChildProcess, timeout: number): Promise<Failure | null> {
    const end = await this.#message(child, timeout);
    if (child.exitCode === 0) return null;
    child.kill('SIGKILL');
    const text = typeof end === 'object' && end.failure === undefined ? end.end : String(end);
    return { step: -1, text: `it runs no more programs, and does not end well: ${text}` };
  }

  #gone(status: number | null, signal: string | null): string {
    return `the process ended with ${signal ?? status}:\n${this.#output.trim()}`;
  }

  #message(child: ChildProcess, timeout: number): Promise<Message> {
    return new Promise((resolve) => {
      const gone = (status: number | null, signal: string | null) => {
        done({ end: this.#gone(status, signal) });
      };
      const timer = setTimeout(() => done({ end: `no end within ${timeout / 1000} s` }), timeout);
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
function report({ steps, faults }: Order, { step, text }: Failure): string {
  const where = step === -1 ? 'At its end' : `Line ${step + 1}`;
  const program = [show(steps), ...(faults === null ? [] : [showFaults(faults)])].join('\n');
  return `${program}\n${where}: ${text}`;
}

/**
 * Runs random programs of this library beside a stranger that follows the standard, in a process
 * with that environment. Reads must return the same as if each step ended before the next began.
 * Nothing may fail, and nothing may leak. Rejects with the smallest failing program, as text, and
 * its seed.
 */
export function checkPrograms(subject: Subject, count: number): Promise<void> {
  const orders = choices.map((drawn): Order => {
    return { steps: plan(drawn, ABILITIES[subject.name]), faults: null };
  });
  return check(subject, orders, count);
}

/**
 * Does the same while driver calls of this library fail. Only a step whose calls fail may fail.
 * What it was to write must have its old or its new value, and everything else must be as without
 * the fault.
 */
export function checkProgramsWithFaults(subject: Subject, count: number): Promise<void> {
  const faults = randomFaults(FAULT_KINDS[subject.name]);
  const orders = fc.tuple(choices, faults).map(([drawn, faultsOf]): Order => {
    // A held stream would hang a call of this library that fails and then waits for pending work.
    const free = drawn.filter(({ verb }) => verb !== 'hold');
    const steps = plan(free, ABILITIES[subject.name]);
    return { steps, faults: faultsOf(steps.length) };
  });
  return check(subject, orders, count);
}

async function check(subject: Subject, orders: fc.Arbitrary<Order>, count: number): Promise<void> {
  using worker = new Worker(subject);
  let failedAt: number | null = null;
  let smallest = '';
  const known = new Map<string, Failure | null>();
  const property = fc.asyncProperty(orders, async (order: Order) => {
    if (failedAt !== null && Date.now() > failedAt + SHRINKING_MS) return;
    const timeout = failedAt === null ? TIMEOUT_MS : TIMEOUT_MS / 6;
    const key = JSON.stringify(order);
    const before = known.get(key); // numbers that no choice uses do not change the program
    const failure = before === undefined ? await worker.run(order, timeout) : before;
    known.set(key, failure);
    if (failure === null) return;
    failedAt ??= Date.now();
    smallest = report(order, failure);
    throw new Error(failure.text);
  });
  const { failed, seed, numRuns } = await fc.check(property, {
    numRuns: count,
    seed: randomSeed(),
  });
  if (!failed) return;
  throw new Error(`program ${numRuns} failed; FAST_CHECK_SEED=${seed} repeats this\n${smallest}`);
}
