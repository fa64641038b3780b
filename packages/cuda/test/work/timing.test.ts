import { readdirSync } from 'node:fs';
import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';

describe('events with times', () => {
  test('measure the time between them', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([1 << 20], 'uint8', { queue: stream });
    const start = stream.record({ timing: true });
    for (let i = 0; i < 4; i++) void cuda.fill(array, i);
    const end = stream.record({ timing: true });
    await end.synchronize();
    expect(end.elapsedSince(start)).toBeGreaterThanOrEqual(0);
    expect(start.elapsedSince(end)).toBeLessThanOrEqual(0);
  });

  test('need the option, on both sides', async () => {
    using stream = cuda.createStream();
    const timed = stream.record({ timing: true });
    const plain = stream.record();
    expect([timed.timing, plain.timing]).toEqual([true, false]);
    await refused(() => timed.elapsedSince(plain), 'ERR_ARGUMENT');
    await refused(() => plain.elapsedSince(timed), 'ERR_ARGUMENT');
    await refused(() => timed.elapsedSince({} as never), 'ERR_ARGUMENT');
  });
});

/** Threads of this process. */
const threads = () => readdirSync('/proc/self/task').length;

describe('waits', () => {
  test('five thousand at once run on one thread', async () => {
    using stream = cuda.createStream();
    await stream.record().synchronize(); // the promise settler's thread runs
    const before = threads();
    const waits = Array.from({ length: 5000 }, () => stream.record().synchronize());
    expect(threads()).toBeLessThanOrEqual(before); // some of earlier tests' may end now
    await Promise.all(waits);
  });
});
