import type { Backend, BackendArray } from '@array-interface/core';
import type { BackendQueue } from '@array-interface/core/backend';
import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { axpy as axpyKernel } from '../kernels/kernels.js';
import { random } from '../support/random-cases.js';

const LENGTH = 64;
const ARRAYS = 4;
const QUEUES = 3;
const GRID = { range: [LENGTH] };

/** What a program may do next. */
const STEPS = [
  'cold',
  'cold',
  'warm',
  'broken',
  'copy',
  'write',
  'read',
  'convert',
  'fill',
  'use',
  'use later',
  'loan',
  'replace',
  'wait',
] as const;

interface Step {
  readonly what: (typeof STEPS)[number];
  readonly from: number;
  readonly to: number;
  readonly value: number;
  /** 0 means that no queue is named. */
  readonly queue: number;
}

const programs = fc.array(
  fc.record<Step>({
    what: fc.constantFrom(...STEPS),
    from: fc.nat(ARRAYS - 1),
    to: fc.nat(ARRAYS - 1),
    value: fc.integer({ min: -4, max: 4 }),
    queue: fc.nat(QUEUES - 1),
  }),
  { minLength: 5, maxLength: 30 },
);

/** An array, and what it would contain if all work had run sequentially. */
interface Modelled {
  array: BackendArray & Disposable;
  value: number;
}

export type Axpy = Kernel<(typeof axpyKernel)['parameters']>;

/** Random programs that wait for nothing, and whose kernels are launched for the first time. */
export function coldPrograms(backend: Backend, axpy: Axpy, broken: Axpy | null): void {
  test('random programs of first launches compute the same as step by step', async () => {
    const all = random(25);
    await fc.assert(fc.asyncProperty(programs, run), { ...all, interruptAfterTimeLimit: 60_000 });
  }, 120_000);

  async function run(steps: readonly Step[]): Promise<void> {
    const made: Modelled[] = [];
    const queues: BackendQueue[] = [];
    const work: Promise<unknown>[] = [];
    const uses: Promise<unknown>[] = [];
    try {
      for (let at = 0; at < ARRAYS; at++) made.push({ array: await full(at), value: at });
      for (let at = 1; at < QUEUES; at++) queues.push(backend.createQueue());
      for (const step of steps) {
        // A deferred task that uses an array may not have run yet.
        if (step.what === 'replace') await Promise.all(uses);
        for (const asked of await take(step, made, queues)) {
          asked.catch(() => {}); // avoids an unhandled rejection: the result is checked later
          work.push(asked);
          if (step.what.startsWith('use')) uses.push(asked);
        }
      }
      for (const { array, value } of made) work.push(holds(backend.toTypedArray(array), value));
      await Promise.all(work);
    } finally {
      await Promise.allSettled(work);
      for (const { array } of made) array[Symbol.dispose]();
      for (const queue of queues) queue[Symbol.dispose]();
    }
  }

  /** Enqueues one step, and waits only if the step is a wait. Returns the expected contents. */
  async function take(
    { what, from, to, value, queue: index }: Step,
    made: readonly Modelled[],
    queues: readonly BackendQueue[],
  ): Promise<Promise<unknown>[]> {
    const [origin, target] = [made[from], made[to]] as [Modelled, Modelled];
    const queue = queues[index - 1];
    const named = queue === undefined ? {} : { queue };
    const launch = (kernel: Axpy) => {
      const values = { source: origin.array, target: target.array, factor: value, n: LENGTH };
      return backend.launch(kernel, { ...GRID, ...named }, values);
    };
    if (what === 'cold' || what === 'warm') {
      if (from === to) return [];
      target.value = Math.fround(target.value + Math.fround(value * origin.value));
      return [launch(what === 'warm' ? axpy : defineKernel({ ...axpy }))];
    }
    if (what === 'broken') {
      if (from === to || broken === null) return [];
      return [expect(launch(defineKernel({ ...broken }))).rejects.toThrow()];
    }
    if (what === 'copy') {
      target.value = origin.value;
      return [backend.copy(target.array, origin.array, named)];
    }
    if (what === 'write') {
      target.value = value;
      const elements = new Float32Array(LENGTH).fill(value);
      const written = backend.copy(target.array, elements, named);
      elements.fill(99);
      return [written];
    }
    if (what === 'read') return [holds(backend.toTypedArray(origin.array, named), origin.value)];
    if (what === 'convert') {
      const read = backend.toTypedArray(origin.array, { ...named, dtype: 'float64' });
      return [holds(read, origin.value)];
    }
    if (what === 'fill') {
      target.value = value;
      return [backend.fill(target.array, value, named)];
    }
    if (what === 'use' || what === 'use later') {
      const on = queue ?? (queues[0] as BackendQueue);
      target.value = origin.value;
      // it may be another array when a deferred task runs
      const [read, written] = [origin.array, target.array];
      const arrays = { reads: [read], writes: [written] };
      const copy = () => backend.copy(written, read, { queue: on });
      // Work enqueued asynchronously in a later task is not known to belong to this one.
      return [backend.use(on, arrays, what === 'use' ? () => void copy() : () => copy())];
    }
    if (what === 'loan') {
      const loan = backend.asArray(origin.array);
      target.value = origin.value;
      const copied = backend.copy(target.array, loan, named);
      loan[Symbol.dispose]();
      return [copied];
    }
    if (what === 'replace') {
      target.array[Symbol.dispose]();
      target.array = backend.empty([LENGTH], 'float32', named);
      target.value = value;
      return [backend.fill(target.array, value)];
    }
    if (value < 0) await origin.array.synchronize();
    else if (queue !== undefined) await queue.synchronize();
    else await backend.synchronize();
    return [];
  }

  function full(value: number): Promise<BackendArray & Disposable> {
    return backend.array(new Float32Array(LENGTH).fill(value));
  }

  async function holds(read: Promise<ArrayLike<number | bigint>>, value: number): Promise<void> {
    expect(Array.from(await read)).toEqual(Array(LENGTH).fill(value));
  }
}
