import { readFileSync } from 'node:fs';
import { type ArrayDescriptor, dtype, makeDescriptor } from '@array-interface/core';
import { host } from '@array-interface/host';
import { expect, test } from 'vitest';
import { speedOf, timeOf } from '../../src/picture/copy-speed.js';

/** Times beside one memcpy of the larger side that the words allow, with what was measured = 1 / time. */
const ALLOWED: Readonly<Record<string, readonly [least: number, most: number]>> = {
  'Fast, about as long as one memcpy': [0.55, Number.POSITIVE_INFINITY],
  'About twice as long as one memcpy': [0.3, 0.85],
  'Two to five times as long as one memcpy': [0.15, 0.6],
  'Slow, at least four times as long as one memcpy': [0, 0.3],
};

/** Arrays of so many bytes do not fit a second cache, where a memcpy is several times as fast. */
const LARGE = 4 * 2 ** 20;

interface Row {
  readonly work: string;
  readonly who: string;
  readonly speed: number;
}

/** A layout of a benchmark, by its name: `2 x 3: <f4 [12,4] from <f4 [4,8]`. */
function sidesOf(name: string): readonly [ArrayDescriptor, ArrayDescriptor] | null {
  const [, shape = '', to = '', toStrides = '', from = '', fromStrides = ''] =
    /^(.*): (\S+) \[(.*)\] from (\S+) \[(.*)\]$/.exec(name) ?? [];
  if (shape === '') return null;
  const side = (pointer: bigint, type: string, strides: string) =>
    makeDescriptor({
      pointer,
      shape: shape.split(' x ').map(Number),
      dtype: dtype(type),
      byteStrides: strides.split(',').map(Number),
    });
  return [side(2n ** 60n, to, toStrides), side(2n ** 61n, from, fromStrides)];
}

/** How many bytes are read or written, whichever is more; those that are repeated count once. */
function largerSide(...sides: readonly ArrayDescriptor[]): number {
  const bytes = sides.map(({ shape, byteStrides, itemsize }) =>
    shape.reduce((all, length, axis) => (byteStrides[axis] === 0 ? all : all * length), itemsize),
  );
  return Math.max(...bytes);
}

test('the words are those of what the benchmarks measured', () => {
  const rows = ['random', 'threads'].flatMap((name) => {
    const file = new URL(`../../../../bench/results/${name}.json`, import.meta.url);
    return (JSON.parse(readFileSync(file, 'utf8')) as { rows: Row[] }).rows;
  });
  const found = rows.flatMap(({ work, who, speed }) => {
    const sides = sidesOf(work);
    if (sides === null || !['ours', '1 thread'].includes(who)) return [];
    if (largerSide(...sides) < LARGE) return [];
    const explanation = host.explainCopy(...sides, { casting: 'unsafe' });
    const words = timeOf(speedOf(...sides, explanation).estimate);
    // measured beside a memcpy of what is written
    const measured = (speed * largerSide(...sides)) / sides[0].nbytes;
    const [least, most] = ALLOWED[words] as readonly [number, number];
    return [{ work, words, measured, isTrue: measured >= least && measured <= most }];
  });
  expect(found.length).toBeGreaterThan(40);
  const wrong = found.filter(({ isTrue }) => !isTrue);
  // times of one machine at one time: a few are on the other side of a limit
  expect(wrong.length / found.length, JSON.stringify(wrong, null, 1)).toBeLessThan(0.15);
  expect(new Set(found.map(({ words }) => words)).size).toBe(4);
});
