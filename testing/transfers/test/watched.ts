import type { Backend, TypedArray } from '@array-interface/core';
import type { Driver } from '@array-interface/core/backend';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { type MockInstance, onTestFinished, vi } from 'vitest';

type Asked = 'stage' | 'import' | 'enqueue';

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
    const driver = driverOf(backend);
    const { stage, enqueue } = driver;
    replace(backend, 'stage').mockImplementation((byteLength, queue, timeout) => {
      const made = stage.call(driver, byteLength, queue, timeout);
      staged.push(byteLength);
      return made;
    });
    replace(backend, 'enqueue').mockImplementation((queue, plan, target, origin) => {
      worked.push(backend.name);
      axes.push(plan.shape.length);
      return enqueue.call(driver, queue, plan, target, origin);
    });
  }
  return { staged, worked, axes };
}

/** Makes each backend unable to access another's memory, until the test ends. */
export function separate(): void {
  for (const backend of BACKENDS) replace(backend, 'import').mockReturnValue(null);
}

/** Makes a backend refuse the n-th plan or staging from now on, until the test ends. */
export function failAt(
  backend: Backend,
  nth: number,
  error: Error,
  name: 'enqueue' | 'stage' = 'enqueue',
): void {
  const driver = driverOf(backend);
  const asked = driver[name] as (...given: unknown[]) => never;
  let calls = 0;
  replace(backend, name).mockImplementation((...given: unknown[]) => {
    if (++calls === nth) throw error;
    return asked.apply(driver, given);
  });
}

/** The different numbers in an array. */
export function valuesOf(array: TypedArray): Set<number> {
  return new Set(Array.from(array as ArrayLike<number | bigint>, Number));
}

/** The driver of a backend, which applications do not see. */
function driverOf(backend: Backend): Driver {
  return (backend as Backend & { readonly driver: Driver }).driver;
}

function replace<K extends Asked>(backend: Backend, name: K): MockInstance<Driver[K]> {
  const spy = vi.spyOn(driverOf(backend), name);
  onTestFinished(() => spy.mockRestore());
  return spy as unknown as MockInstance<Driver[K]>;
}
