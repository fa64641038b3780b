import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './support/pages.js';
import { linesOf, makesCall, type Stop, walk, walksOf } from './support/walks.js';

const page = 'docs/internals/architecture.md';
const walks = walksOf({ page, text: readFileSync(path.join(root, page), 'utf8') });

/** The programs that take the walks, by their headings. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'A dict becomes a descriptor': 'descriptor.mjs',
  'A copy on CUDA': 'copy.mjs',
  'A kernel is launched': 'launch.mjs',
  'An object of Python becomes an array': 'python.mjs',
  'A ticket goes to another process': 'ticket.mjs',
};

test('each walk has a program', () => {
  expect([...walks.keys()]).toEqual(Object.keys(PROGRAMS));
});

describe.each([...walks])('%s', (heading, stops) => {
  test('has fewer than ten stops', () => {
    expect(stops.length).toBeGreaterThan(5);
    expect(stops.length).toBeLessThan(10);
  });

  test('has its driver calls in the functions that it names', () => {
    const calling = stops.filter(({ driverCall }) => driverCall !== null);
    expect(calling.filter((stop) => !makesCall(stop))).toEqual([]);
  });

  test('has them in the order in which they are called', () => {
    expect(stops.filter((stop) => linesOf(stop).length === 0)).toEqual([]);
    expect(walk(PROGRAMS[heading] as string, stops)).toEqual(stops.flatMap(linesOf));
  });
});

describe('a walk is wrong', () => {
  const stops = walks.get('A copy on CUDA') as Stop[];
  const last = stops.at(-1) as Stop;
  const native = stops.at(-2) as Stop;

  test.each([
    ['a function that is not there', { ...(stops[0] as Stop), name: 'BaseBackend.copies' }],
    ['a function that is not called', { ...(stops[5] as Stop), name: 'planRows' }],
    ['a native function that is not called', { ...native, name: 'Copy' }],
    ['a call of the driver that is not made', { ...last, driverCall: 'cuMemcpy2DAsync' }],
  ])('with %s', (_, wrong) => {
    expect(walk('copy.mjs', [wrong])).toEqual([]);
  });

  test('if stops are out of order', () => {
    const swapped = [...stops.slice(0, -2), last, native];
    expect(walk('copy.mjs', swapped)).not.toEqual(swapped.flatMap(linesOf));
  });

  test('if another function makes a call', () => {
    expect(makesCall(last)).toBe(true);
    expect(makesCall({ ...last, name: 'CopyStrided' })).toBe(false);
  });
});
