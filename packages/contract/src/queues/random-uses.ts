import type { Backend, BackendArray, BackendQueue, OwnedArray } from '@array-interface/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContractKernels, kernelsOf } from '../kernels/kernels-of.js';
import { random } from '../support/random-cases.js';
import type { BackendSubject } from '../support/subject.js';

const ARRAYS = 4;
const LENGTH = 64;

/** A step of a program. It refers to arrays by their numbers. */
type Step =
  | {
      readonly step: 'add' | 'launch' | 'copy' | 'through';
      to: number;
      from: number;
      queue: number;
    }
  | { readonly step: 'fill'; to: number; start: number; value: number; queue: number }
  | { readonly step: 'read'; from: number; queue: number }
  | { readonly step: 'turn' }
  | {
      readonly step: 'use';
      readonly steps: readonly Step[];
      readonly queue: number;
      readonly end: 'returns' | 'awaits' | 'throws';
    };

const array = fc.nat(ARRAYS - 1);
const queue = fc.nat(2);
const work: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    step: fc.constantFrom('add' as const, 'launch' as const, 'copy' as const, 'through' as const),
    to: array,
    from: array,
    queue,
  }),
  fc.record({
    step: fc.constant('fill' as const),
    to: array,
    start: fc.nat(LENGTH - 1),
    value: fc.nat(99),
    queue,
  }),
  fc.record({ step: fc.constant('read' as const), from: array, queue }),
);
const { use } = fc.letrec<{ use: Step; inner: Step }>((tie) => ({
  use: fc.record({
    step: fc.constant('use' as const),
    steps: fc.array(tie('inner'), { minLength: 1, maxLength: 4 }),
    queue,
    end: fc.constantFrom('returns' as const, 'awaits' as const, 'throws' as const),
  }),
  inner: fc.oneof({ maxDepth: 2 }, work, tie('use')),
}));
const program = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: work },
    { weight: 4, arbitrary: use },
    { weight: 1, arbitrary: fc.constant<Step>({ step: 'turn' }) },
  ),
  { minLength: 2, maxLength: 12, size: 'max' },
);

/**
 * Random programs of `use` within `use`, kernels, copies and fills, compared with the same steps
 * run sequentially.
 */
export function randomUses(subject: BackendSubject): void {
  if (subject.kernels === null) return;
  const { numRuns, seed } = random(subject.runs);
  test(`random uses, FAST_CHECK_SEED=${seed}`, async () => {
    const kernels = kernelsOf(subject.backend.name, subject.kernels ?? undefined);
    const property = fc.asyncProperty(program, async (steps) => {
      const model = Array.from({ length: ARRAYS }, (_, i) => new Float32Array(LENGTH).fill(i));
      const expected = new Map<Step, Float32Array>();
      for (const step of steps) imitate(step, model, expected);
      const run = await Run.make(subject, kernels);
      try {
        const seen = await run.all(steps, [...expected.keys()]);
        expect(seen).toEqual([...expected.values(), ...model]);
      } finally {
        await run.end();
      }
    });
    await fc.assert(property, { numRuns, seed, endOnFailure: process.env.CI === undefined });
  });
}

/** Runs a step synchronously on a model. */
function imitate(step: Step, arrays: readonly Float32Array[], seen: Map<Step, Float32Array>): void {
  if (step.step === 'turn') return;
  if (step.step === 'use') {
    for (const one of step.steps) imitate(one, arrays, seen);
    return;
  }
  if (step.step === 'read') {
    seen.set(step, (arrays[step.from] as Float32Array).slice());
    return;
  }
  const to = arrays[step.to] as Float32Array;
  if (step.step === 'fill') to.fill(step.value, step.start);
  else if (step.step === 'add') to.set(to.map((value) => value + 1));
  else if (step.to !== step.from) {
    const from = arrays[step.from] as Float32Array;
    to.set(step.step === 'launch' ? from.map((value, i) => value + (to[i] as number)) : from);
  }
}

/** The numbers of the arrays that steps write, or of all that they use. */
function numbersOf(steps: readonly Step[], writes: boolean): number[] {
  return steps.flatMap((step) => {
    if (step.step === 'use') return numbersOf(step.steps, writes);
    const used = 'to' in step ? [step.to] : [];
    return writes || !('from' in step) ? used : [...used, step.from];
  });
}

/** A program's arrays and queues, and the work that it has enqueued. */
class Run {
  readonly #subject: BackendSubject;
  readonly #kernels: ContractKernels;
  readonly #arrays: readonly OwnedArray<BackendArray>[];
  readonly #ones: OwnedArray<BackendArray>;
  readonly #queues: readonly BackendQueue[];
  readonly #asked: Promise<unknown>[] = [];
  readonly #temporary: OwnedArray<BackendArray>[] = [];
  readonly #seen = new Map<Step, Promise<unknown>>();

  private constructor(
    subject: BackendSubject,
    kernels: ContractKernels,
    arrays: readonly OwnedArray<BackendArray>[],
    ones: OwnedArray<BackendArray>,
  ) {
    this.#subject = subject;
    this.#kernels = kernels;
    this.#arrays = arrays;
    this.#ones = ones;
    this.#queues = Array.from({ length: 3 }, () => subject.backend.createQueue());
  }

  static async make(subject: BackendSubject, kernels: ContractKernels): Promise<Run> {
    const of = (value: number) => subject.backend.array(new Float32Array(LENGTH).fill(value));
    const arrays = await Promise.all(Array.from({ length: ARRAYS }, (_, i) => of(i)));
    const run = new Run(subject, kernels, arrays, await of(1));
    // Builds the kernel first, since other tests cover first launches.
    const values = { source: run.#ones, target: run.#array(0), factor: 0, n: 0 };
    await subject.backend.launch(kernels.axpy, { range: [1] }, values);
    return run;
  }

  get #backend(): Backend {
    return this.#subject.backend;
  }

  /** What these steps have read, and the final contents of the arrays. */
  async all(steps: readonly Step[], reads: readonly Step[]): Promise<unknown[]> {
    for (const step of steps) {
      if (step.step === 'turn') await new Promise((resolve) => setImmediate(resolve));
      else this.#do(step);
    }
    const last = this.#arrays.map((one) => this.#backend.toTypedArray(one));
    for (const one of this.#asked) await one; // also work that is enqueued meanwhile
    return Promise.all([...reads.map((step) => this.#seen.get(step)), ...last]);
  }

  async end(): Promise<void> {
    for (const one of this.#asked) await one.catch(() => {});
    const owned = [...this.#arrays, this.#ones, ...this.#temporary, ...this.#queues];
    for (const one of owned) one[Symbol.dispose]();
  }

  /** Enqueues a step. */
  #do(step: Exclude<Step, { step: 'turn' }>): Promise<unknown> {
    const done = this.#begin(step);
    this.#asked.push(done);
    return done;
  }

  #begin(step: Exclude<Step, { step: 'turn' }>): Promise<unknown> {
    const options = { queue: this.#queues[step.queue] as BackendQueue };
    if (step.step === 'use') return this.#use(step);
    if (step.step !== 'read') return Promise.all(this.#work(step, options));
    const seen = this.#backend.toTypedArray(this.#array(step.from), options);
    this.#seen.set(step, seen);
    return seen;
  }

  #work(
    step: Extract<Step, { to: number }>,
    options: { readonly queue: BackendQueue },
  ): Promise<unknown>[] {
    const to = this.#array(step.to);
    if (step.step === 'fill') {
      return [this.#backend.fill(to.slice([[step.start, LENGTH]]), step.value, options)];
    }
    if (step.step === 'add') {
      return [
        this.#subject.addLater?.(to, 1, options.queue) ?? this.#axpy(to, this.#ones, options),
      ];
    }
    const from = this.#array(step.from);
    if (to === from) return [];
    if (step.step === 'launch') return [this.#axpy(to, from, options)];
    if (step.step === 'copy') return [this.#backend.copy(to, from, options)];
    const between = this.#backend.empty([LENGTH], 'float32'); // which no use names
    this.#temporary.push(between);
    return [this.#backend.copy(between, from, options), this.#backend.copy(to, between, options)];
  }

  async #use({ steps, queue, end }: Extract<Step, { step: 'use' }>): Promise<void> {
    const written = [...new Set(numbersOf(steps, true))];
    const read = [...new Set(numbersOf(steps, false))].filter((one) => !written.includes(one));
    const arrays = {
      reads: read.map((one) => this.#array(one)),
      writes: written.map((one) => this.#array(one)),
    };
    const reason = new Error('on purpose');
    const used = this.#backend.use(this.#queues[queue] as BackendQueue, arrays, () => {
      const all = steps.map((step) => this.#do(step as Exclude<Step, { step: 'turn' }>));
      if (end === 'throws') throw reason;
      return end === 'awaits' ? Promise.all(all) : null;
    });
    try {
      await used;
    } catch (error) {
      if (error !== reason) throw error;
    }
  }

  #axpy(target: BackendArray, source: BackendArray, options: object): Promise<void> {
    const values = { source, target, factor: 1, n: LENGTH };
    return this.#backend.launch(this.#kernels.axpy, { range: [LENGTH], ...options }, values);
  }

  #array(number: number): OwnedArray<BackendArray> {
    return this.#arrays[number] as OwnedArray<BackendArray>;
  }
}
