import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { fromProducer, isArrayDescriptor } from '../../src/index.js';

it('memory of another realm is memory', () => {
  const memory: Int16Array = runInNewContext('new Int16Array(3)');
  expect(memory).not.toBeInstanceOf(Int16Array);
  const array = fromProducer(memory);
  expect(array).toMatchObject({ shape: [3], pointer: 0n, dtype: { typestr: '<i2' } });
  expect(array.buffer).toBe(memory.buffer);
});

it('a descriptor of another installed copy of core is one', async () => {
  vi.resetModules();
  const other = await import('../../src/index.js');
  const array = other.fromProducer(new Int16Array(3));
  expect(array).not.toBeInstanceOf(fromProducer(new Int16Array(3)).constructor);
  expect(isArrayDescriptor(array)).toBe(true);
  // What copies of all versions go by.
  expect(Reflect.get(array, Symbol.for('array-interface.descriptor'))).toBe(true);
});
