import { join } from 'node:path';
import { makeDescriptor } from '@array-interface/core';
import { foreignAddons } from '@array-interface/foreign';
import { host } from '@array-interface/host';
import { expect, test } from 'vitest';

const BYTES = 64 * 2 ** 20;
const { giver } = foreignAddons(join(import.meta.dirname, '../..'));

/** How many more bytes V8 is told of than at first, in whole arrays. */
function counter(): () => number {
  const before = giver.told();
  return () => Math.round((giver.told() - before) / BYTES);
}

test('V8 is told of memory once, however many arrays keep it', () => {
  const arrays = counter();
  const x = host.empty([BYTES], 'uint8');
  expect(arrays()).toBe(1);
  const { pointer, shape, memory: owner } = x;
  const others = [
    host.asArray(x),
    host.asArray(makeDescriptor({ pointer, shape, dtype: 'uint8', owner })),
    host.asArray(x.slice([[1, 5]])),
  ];
  expect(arrays()).toBe(1);
  x.dispose();
  expect(arrays()).toBe(1);
  for (const other of others) other.dispose();
  expect(arrays()).toBe(0);
});

test('each allocation is told of', () => {
  const arrays = counter();
  using first = host.empty([BYTES], 'uint8');
  using second = host.empty([BYTES], 'uint8');
  expect([arrays(), first.nbytes, second.nbytes]).toEqual([2, BYTES, BYTES]);
});
