import type { ArrayDescriptor, Backend, TypedArray } from '@array-interface/core';
import type { CopyPlan, Guest, Memory, Queue, Staging } from '@array-interface/core/backend';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { type MockInstance, onTestFinished, vi } from 'vitest';

/** What backends ask of themselves, hidden from applications. */
interface Inside {
  stage(byteLength: number, queue: Queue): Staging;
  guest(array: ArrayDescriptor, memory: Memory, queue: Queue): Guest | null;
  enqueue(queue: Queue, plan: CopyPlan, target: Memory, origin: Memory): void;
}

const BACKENDS: readonly Backend[] = [host, cuda, sycl];

/**
 * What copies made until the test ends: bytes of each staging, the backends that were given plans, and
 * how many axes those had.
 */
export function watch(): {
  readonly staged: number[];
  readonly worked: string[];
  readonly axes: number[];
} {
  const staged: number[] = [];
  const worked: string[] = [];
  const axes: number[] = [];
  for (const backend of BACKENDS) {
    const { stage, enqueue } = inside(backend);
    replace(backend, 'stage').mockImplementation((byteLength, queue) => {
      staged.push(byteLength);
      return stage.call(backend, byteLength, queue);
    });
    replace(backend, 'enqueue').mockImplementation((queue, plan, target, origin) => {
      worked.push(backend.name);
      axes.push(plan.shape.length);
      return enqueue.call(backend, queue, plan, target, origin);
    });
  }
  return { staged, worked, axes };
}

/** Until the test ends no backend reaches another's memory. */
export function separate(): void {
  for (const backend of BACKENDS) replace(backend, 'guest').mockReturnValue(null);
}

/** Until the test ends the n-th plan or staging that a backend is asked for from now on is refused. */
export function failAt(
  backend: Backend,
  nth: number,
  error: Error,
  name: 'enqueue' | 'stage' = 'enqueue',
): void {
  const asked = inside(backend)[name] as (...given: unknown[]) => never;
  let calls = 0;
  replace(backend, name).mockImplementation((...given: unknown[]) => {
    if (++calls === nth) throw error;
    return asked.apply(backend, given);
  });
}

/** The different numbers in an array. */
export function valuesOf(array: TypedArray): Set<number> {
  return new Set(Array.from(array as ArrayLike<number | bigint>, Number));
}

function inside(backend: Backend): Inside {
  return backend as unknown as Inside;
}

function replace<K extends keyof Inside>(backend: Backend, name: K): MockInstance<Inside[K]> {
  const spy = vi.spyOn(inside(backend), name);
  onTestFinished(() => spy.mockRestore());
  return spy as unknown as MockInstance<Inside[K]>;
}
