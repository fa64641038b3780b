import { expect, it } from 'vitest';
import { makeDescriptor, type Typestr } from '../../src/index.js';
import { mayShareMemory, overlapsItself, sharesMemory } from '../../src/overlap/index.js';
import numpy from '../support/vectors/numpy-overlap.json' with { type: 'json' };

type Layout = readonly [pointer: number, shape: number[], byteStrides: number[], dtype: Typestr];

const array = ([pointer, shape, byteStrides, dtype]: Layout) =>
  makeDescriptor({ pointer, shape, byteStrides, dtype });

// Made by testing/peers/python/random_cases/random_overlap.py; test:peers makes others.
it('says the same about memory as NumPy', () => {
  for (const [one, other, says] of numpy.cases as unknown as readonly [
    Layout,
    Layout,
    boolean[],
  ][]) {
    const [a, b] = [array(one), array(other)];
    const own = [mayShareMemory(a, b), sharesMemory(a, b), overlapsItself(a)];
    expect(own, `${a} and ${b}`).toEqual(says);
  }
  expect(numpy.cases).toHaveLength(2000);
});
