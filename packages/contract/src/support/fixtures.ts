import { setTimeout as pause } from 'node:timers/promises';
import type { Backend, BackendQueue } from '@array-interface/core';
import { type TestAPI, type TestContext, test } from 'vitest';
import { PATIENCE } from './collect.js';

/** What every test can ask for, besides the arrays of its section. */
interface Fixtures {
  readonly first: BackendQueue;
  readonly second: BackendQueue;
  readonly third: BackendQueue;
  /** Promises of work that a test does not wait for. It fails if one of them rejects. */
  readonly work: Promise<unknown>[];
}

type Made = Readonly<Record<string, Disposable>>;
type Makers<M> = { readonly [Name in keyof M]: () => M[Name] | Promise<M[Name]> };
type Use<T> = (value: T) => Promise<void>;

/**
 * The `test` of vitest with fixtures: what a test names in its first argument is made for that test
 * in this order, and disposed after it.
 */
export function withFixtures<M extends Made>(
  backend: Backend,
  makers: Makers<M>,
): TestAPI<Fixtures & M> {
  const queue = () => backend.createQueue();
  const all: Makers<Made> = { first: queue, second: queue, third: queue, ...makers };
  const fixtures = Object.entries(all).map(([name, make]) => [name, fixture(make)]);
  // `work` is the last, so that it has ended before anything is disposed.
  const extended = test.extend({ ...Object.fromEntries(fixtures), work });
  return extended as unknown as TestAPI<Fixtures & M>;
}

function fixture<T extends Disposable>(make: () => T | Promise<T>) {
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of other fixtures there
  return async ({}: object, use: Use<T>): Promise<void> => {
    using value = await make();
    await use(value);
  };
}

/**
 * A rejection fails the test in `onTestFinished`: an error here would keep the other fixtures from
 * being disposed. vitest has no timeout for the end of a fixture, so work that never settles is
 * waited for only so long.
 */
async function work(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  use: Use<Promise<unknown>[]>,
): Promise<void> {
  const promises: Promise<unknown>[] = [];
  onTestFinished(async () => void (await Promise.all(promises)), PATIENCE);
  await use(promises);
  const timer = new AbortController();
  const tooLong = pause(PATIENCE, null, { signal: timer.signal }).catch(() => null);
  await Promise.race([Promise.allSettled(promises), tooLong]);
  timer.abort();
}

/** For `describe.each`: whether earlier work is still pending when the next is enqueued. */
export function pendingOrEnded(backend: Backend): [string, () => Promise<void>][] {
  return [
    ['pending', async () => {}],
    ['ended', () => backend.synchronize()],
  ];
}
