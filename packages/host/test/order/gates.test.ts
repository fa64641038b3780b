import type { OwnedArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { type HostArray, type HostQueue, host } from '@array-interface/host';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Held, settles } from '../support/c-functions.js';

// Whatever work is, and wherever it is requested, it comes after what its queue was told to wait for.

const PARAMETERS = { elements: { write: 'float32' } } as const;

let x: OwnedArray<HostArray>;
let y: OwnedArray<HostArray>;
let gated: HostQueue;
let held: Held[] = [];

/** A kernel of C that adds to an array once it is let go, at the end of the test at the latest. */
function hold(array: OwnedArray<HostArray>, queue?: HostQueue): Held {
  const one = new Held(array, 1, 60_000, queue);
  held.push(one);
  return one;
}

beforeEach(async () => {
  x = await host.array([1, 2], { dtype: 'float32' });
  y = await host.array([3, 4], { dtype: 'float32' });
  gated = host.createQueue();
});
afterEach(async () => {
  for (const one of held) one.letGo();
  held = [];
  await host.synchronize();
  for (const one of [x, y, gated]) one[Symbol.dispose]();
});

/** A kernel of JavaScript that calls a function. */
function kernelOf(call: () => void) {
  return defineKernel({
    name: 'within',
    parameters: PARAMETERS,
    code: { host: { javascript: () => call() } },
  });
}

const add = kernelOf(() => {});

/** Work on `x`, whose end is what it returns. */
const WORK: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a fill', () => host.fill(x, 7, { queue: gated })],
  ['a copy to it', () => host.copy(x, Float32Array.of(5, 6), { queue: gated })],
  ['a copy from it', () => host.copy(new Float32Array(2), x, { queue: gated })],
  ['a copy within it', () => host.copy(x, x.flip(), { queue: gated })],
  ['a read', () => host.toTypedArray(x, { queue: gated })],
  ['a kernel', () => host.launch(add, { range: [2], queue: gated }, { elements: x })],
  ['a kernel of C', () => new Held(x, 1, 0, gated).launched],
  ['a use', () => Promise.resolve(host.use(gated, { writes: [x] }, () => null))],
];

/** Requests work somewhere. Settles with the work's end, in an object, when it was requested. */
type Place = (work: () => Promise<unknown>) => Promise<{ readonly end: Promise<unknown> }>;

/** Requests it from a function that is called with a function to call. */
const from = (enter: (call: () => void) => unknown) => (work: () => Promise<unknown>) =>
  new Promise<{ readonly end: Promise<unknown> }>((resolve, reject) => {
    const call = () => resolve({ end: work() });
    Promise.resolve(enter(call)).catch(reject);
  });
const use = (call: () => void, queue = host.createQueue()) =>
  host.use(queue, { writes: [x] }, call) as unknown;
const afterHeld = (enter: (call: () => void) => unknown) =>
  from((call) => {
    const before = hold(x);
    const entered = enter(call);
    before.letGo();
    return entered;
  });
const launch = (call: () => void) => host.launch(kernelOf(call), { range: [2] }, { elements: x });

const PLACES: readonly (readonly [string, Place])[] = [
  ['outside of other work', from((call) => call())],
  ['within a use', from((call) => use(call))],
  ['within a use that waited', afterHeld((call) => use(call))],
  ['within a use in a use that waited', afterHeld((call) => use(() => void use(call)))],
  ['within a kernel', from(launch)],
  ['within a kernel that waited', afterHeld(launch)],
  ['within a kernel in a use that waited', afterHeld((call) => use(() => void launch(call)))],
];

describe.each(PLACES)('%s', (_, request) => {
  test.each(WORK)('%s comes after what its queue waits for', async (_, work) => {
    using busy = host.createQueue();
    const beside = hold(y, busy);
    gated.wait(busy.record());
    const { end } = await request(work);
    expect(await settles(end), 'ends before what its queue waits for').toBe(false);
    beside.letGo();
    await end;
    expect(gated.query()).toBe(true);
  });
});
