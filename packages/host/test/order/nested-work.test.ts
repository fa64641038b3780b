import type { OwnedArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { type HostArray, type HostQueue, host } from '@array-interface/host';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Held } from '../support/c-functions.js';

// Functions of `use`, and JavaScript kernels, that request more work in random order. What they request
// on their own arrays takes their place in the order, whatever was requested since.
const ARRAYS = 3;
const LENGTH = 8;

/** What a program does with its arrays, by their numbers. A kernel adds 1 to all, and then does the rest. */
type Step =
  | { readonly step: 'add'; readonly to: number; queue: number }
  | { readonly step: 'copy'; readonly to: number; readonly from: number; queue: number }
  | { readonly step: 'fill'; readonly to: number; readonly value: number; queue: number }
  | { readonly step: 'read'; readonly from: number; queue: number }
  | {
      readonly step: 'use' | 'kernel';
      readonly steps: readonly Step[];
      queue: number;
      throws: boolean;
    };

const common = { to: fc.nat(ARRAYS - 1), from: fc.nat(ARRAYS - 1), queue: fc.nat(1) };
const leaf: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ step: fc.constant('add' as const), ...common }),
  fc.record({ step: fc.constant('copy' as const), ...common }),
  fc.record({ step: fc.constant('fill' as const), value: fc.nat(9), ...common }),
  fc.record({ step: fc.constant('read' as const), ...common }),
);
const { step: anyStep } = fc.letrec<{ step: Step; node: Step }>((tie) => ({
  step: fc.oneof({ maxDepth: 3 }, leaf, tie('node')),
  node: fc.record({
    step: fc.constantFrom('use' as const, 'kernel' as const),
    steps: fc.array(tie('step'), { minLength: 1, maxLength: 4 }),
    queue: common.queue,
    throws: fc.boolean(),
  }),
}));
const program = fc.array(anyStep, { minLength: 2, maxLength: 10, size: 'max' });

type Model = readonly number[][];

function imitate(step: Step, arrays: Model, seen: Map<Step, number[]>): void {
  if ('steps' in step) {
    if (step.step === 'kernel') for (const one of numbersOf([step])) increase(arrays, one);
    for (const one of step.steps) imitate(one, arrays, seen);
  } else if (step.step === 'read') seen.set(step, [...(arrays[step.from] as number[])]);
  else if (step.step === 'add') increase(arrays, step.to);
  else if (step.step === 'fill') arrays[step.to]?.fill(step.value, step.value % LENGTH);
  else arrays[step.to]?.splice(0, LENGTH, ...(arrays[step.from] as number[]));
}

function increase(arrays: Model, number: number): void {
  arrays[number]?.forEach((value, i, all) => {
    all[i] = value + 1;
  });
}

/** The numbers of all arrays that steps use. */
function numbersOf(steps: readonly Step[]): number[] {
  const all = steps.flatMap((step) => {
    if ('steps' in step) return numbersOf(step.steps);
    if (step.step === 'read') return [step.from];
    return 'from' in step ? [step.to, step.from] : [step.to];
  });
  return [...new Set(all)];
}

class Run {
  readonly asked: Promise<unknown>[] = [];
  readonly seen = new Map<Step, number[]>();
  readonly #arrays: readonly OwnedArray<HostArray>[];
  readonly #queues: readonly HostQueue[] = [host.createQueue(), host.createQueue({ threads: 3 })];

  constructor(arrays: readonly OwnedArray<HostArray>[]) {
    this.#arrays = arrays;
  }

  ask(step: Step): void {
    this.asked.push(this.#begin(step));
  }

  #begin(step: Step): Promise<unknown> {
    const queue = this.#queues[step.queue] as HostQueue;
    if ('steps' in step) return this.#around(step, queue);
    if (step.step === 'read') {
      const read = host.toTypedArray(this.#array(step.from), { queue });
      return read.then((values) => this.seen.set(step, [...values].map(Number)));
    }
    const to = this.#array(step.to);
    if (step.step === 'add') return new Held(to, 1, 1, queue).launched;
    if (step.step === 'copy') return host.copy(to, this.#array(step.from), { queue });
    return host.fill(to.slice([[step.value % LENGTH, LENGTH]]), step.value, { queue });
  }

  async #around(step: Extract<Step, { steps: unknown }>, queue: HostQueue): Promise<void> {
    const reason = new Error('on purpose');
    const numbers = numbersOf([step]);
    const inner = () => {
      for (const one of step.steps) this.ask(one);
      if (step.throws) throw reason;
    };
    const arrays = numbers.map((number) => [`a${number}`, this.#array(number)] as const);
    const javascript = (elements: Record<string, Float32Array>) => {
      const all = numbers.map((number) => elements[`a${number}`] as Float32Array);
      for (const one of all)
        one.set(
          one.slice(4).map((value) => value + 1),
          4,
        );
      try {
        inner();
      } finally {
        for (const one of all) one.set(one.slice(0, 4).map((value) => value + 1));
      }
    };
    const done =
      step.step === 'use'
        ? host.use(queue, { writes: arrays.map(([, array]) => array) }, inner)
        : host.launch(
            defineKernel({
              name: 'around',
              parameters: Object.fromEntries(arrays.map(([name]) => [name, { write: 'float32' }])),
              code: { host: { javascript } },
            } as never),
            { range: [1], queue },
            Object.fromEntries(arrays) as never,
          );
    await done.catch((error) => {
      if (error !== reason) throw error;
    });
  }

  #array(number: number): OwnedArray<HostArray> {
    return this.#arrays[number] as OwnedArray<HostArray>;
  }
}

const { numRuns, seed } = random(200);
test(`nested work is in order, FAST_CHECK_SEED=${seed}`, { timeout: 600_000 }, async () => {
  const property = fc.asyncProperty(program, async (steps) => {
    const arrays: OwnedArray<HostArray>[] = [];
    const model: number[][] = [];
    for (let i = 0; i < ARRAYS; i++) {
      model.push(new Array<number>(LENGTH).fill(i));
      arrays.push(await host.array(Float32Array.from(model[i] as number[])));
    }
    const expected = new Map<Step, number[]>();
    for (const step of steps) imitate(step, model, expected);
    const run = new Run(arrays);
    for (const step of steps) run.ask(step);
    const last = arrays.map((array) => host.toTypedArray(array));
    for (const one of run.asked) await one; // also what is requested meanwhile
    const read = (await Promise.all(last)).map((values) => [...values].map(Number));
    for (const array of arrays) array[Symbol.dispose]();
    expect(read).toEqual(model);
    for (const [step, values] of expected) expect(run.seen.get(step)).toEqual(values);
  });
  await fc.assert(property, { numRuns, seed });
});
