import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { describe } from '../src/index.js';

it('memory of another realm is memory', () => {
  const memory: Int16Array = runInNewContext('new Int16Array(3)');
  expect(memory).not.toBeInstanceOf(Int16Array);
  const array = describe(memory);
  expect(array).toMatchObject({ shape: [3], pointer: 0n, dtype: { typestr: '<i2' } });
  expect(array.buffer).toBe(memory.buffer);
});
