import type { BackendArray, BackendQueue, OwnedArray } from '@array-interface/core';
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

/** A step that enqueues work. */
type Work = Exclude<Step, { step: 'turn' }>;

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
      const seen = await run(steps, [...expected.keys()], subject, kernels);
      expect(seen).toEqual([...expected.values(), ...model]);
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

/** Runs a program. Returns what these steps have read, and the final contents of the arrays. */
async function run(
  steps: readonly Step[],
  reads: readonly Step[],
  { backend, addLater }: BackendSubject,
  { axpy }: ContractKernels,
): Promise<unknown[]> {
  const full = (value: number) => backend.array(new Float32Array(LENGTH).fill(value));
  const arrays = await Promise.all(Array.from({ length: ARRAYS }, (_, i) => full(i)));
  const ones = await full(1);
  const queues = Array.from({ length: 3 }, () => backend.createQueue());
  const temporary: OwnedArray<BackendArray>[] = [];
  const asked: Promise<unknown>[] = [];
  const seen = new Map<Step, Promise<unknown>>();
  const arrayOf = (number: number) => arrays[number] as OwnedArray<BackendArray>;

  try {
    // Builds the kernel first, since other tests cover first launches.
    const values = { source: ones, target: arrayOf(0), factor: 0, n: 0 };
    await backend.launch(axpy, { range: [1] }, values);
    for (const step of steps) {
      if (step.step === 'turn') await new Promise((resolve) => setImmediate(resolve));
      else enqueue(step);
    }
    const last = arrays.map((one) => backend.toTypedArray(one));
    for (const one of asked) await one; // also work that is enqueued meanwhile
    return await Promise.all([...reads.map((step) => seen.get(step)), ...last]);
  } finally {
    for (const one of asked) await one.catch(() => {});
    for (const one of [...arrays, ones, ...temporary, ...queues]) one[Symbol.dispose]();
  }

  function enqueue(step: Work): Promise<unknown> {
    const done = begin(step);
    asked.push(done);
    return done;
  }

  function begin(step: Work): Promise<unknown> {
    const queue = queues[step.queue] as BackendQueue;
    if (step.step === 'use') return useQueue(step, queue);
    if (step.step !== 'read') return Promise.all(write(step, queue));
    const elements = backend.toTypedArray(arrayOf(step.from), { queue });
    seen.set(step, elements);
    return elements;
  }

  function write(step: Extract<Step, { to: number }>, queue: BackendQueue): Promise<unknown>[] {
    const to = arrayOf(step.to);
    if (step.step === 'fill') {
      return [backend.fill(to.slice([[step.start, LENGTH]]), step.value, { queue })];
    }
    if (step.step === 'add') return [addLater?.(to, 1, queue) ?? add(to, ones, queue)];
    const from = arrayOf(step.from);
    if (to === from) return [];
    if (step.step === 'launch') return [add(to, from, queue)];
    if (step.step === 'copy') return [backend.copy(to, from, { queue })];
    const between = backend.empty([LENGTH], 'float32'); // which no use names
    temporary.push(between);
    return [backend.copy(between, from, { queue }), backend.copy(to, between, { queue })];
  }

  async function useQueue(
    { steps, end }: Extract<Step, { step: 'use' }>,
    queue: BackendQueue,
  ): Promise<void> {
    const written = [...new Set(numbersOf(steps, true))];
    const read = [...new Set(numbersOf(steps, false))].filter((one) => !written.includes(one));
    const reason = new Error('on purpose');
    const used = { reads: read.map(arrayOf), writes: written.map(arrayOf) };
    try {
      await backend.use(queue, used, () => {
        const all = steps.map((step) => enqueue(step as Work));
        if (end === 'throws') throw reason;
        return end === 'awaits' ? Promise.all(all) : null;
      });
    } catch (error) {
      if (error !== reason) throw error;
    }
  }

  function add(target: BackendArray, source: BackendArray, queue: BackendQueue): Promise<void> {
    const values = { source, target, factor: 1, n: LENGTH };
    return backend.launch(axpy, { range: [LENGTH], queue }, values);
  }
}
