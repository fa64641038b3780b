import { dtype } from '@array-interface/core';
import { arrayCapsule } from '@array-interface/core/backend';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { Block, reach } from '../support/block.js';
import { exported } from '../support/exported.js';
import { withFixtures } from '../support/fixtures.js';
import { random } from '../support/random-cases.js';
import { referenceBytes } from '../support/reference.js';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const SIZE = 96;

/** Borrows bytes in another layout than the one that their producer gives them. */
export function layouts({ backend, runs = 100 }: Subject): void {
  const test = withFixtures(backend, { block: () => Block.make(backend, SIZE, 5) });

  describe('a layout for borrowed bytes', () => {
    test('is the same for arrays, dicts, views and capsules', async ({ block }) => {
      const options = {
        shape: [3, 4],
        dtype: 'int16',
        byteStrides: [24, 4],
        byteOffset: 8,
      } as const;
      const place = { offset: 8, shape: [3, 4], byteStrides: [24, 4], itemsize: 2 };
      const expected = referenceBytes(block.expected, place);
      await block.array.synchronize(); // so that its dict names no pending work
      for (const source of [
        block.array,
        block.array.descriptor,
        exported(block.array).producer(),
        block.array[arrayCapsule](),
      ]) {
        using borrowed = backend.asArray(source, options);
        expect(borrowed).toMatchObject({ shape: [3, 4], byteStrides: [24, 4] });
        expect(borrowed.pointer).toBe(block.array.pointer + 8n);
        const elements = await backend.toTypedArray(borrowed);
        expect(new Uint8Array(elements.buffer)).toEqual(expected);
      }
      using writable = backend.asArray(exported(block.array).producer(), {
        ...{ shape: [2], elementStrides: [-3], dtype: 'uint16', elementOffset: 4 },
      });
      await backend.fill(writable, 0x0102);
      for (const at of [8, 2]) block.expected.set([2, 1], at);
      await block.verify();
      using frozen = backend.asArray(block.array, { ...options, readOnly: true });
      await refused(() => backend.fill(frozen, 1), 'ERR_READ_ONLY');
    });

    const settings = random(runs);
    const cases = fc.record({
      shape: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      steps: fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 3, maxLength: 3 }),
      offset: fc.integer({ min: -4, max: SIZE }),
      type: fc.constantFrom('uint8', 'int16', 'float32', 'int64', '|V3'),
    });
    test(`reads what NumPy's rules say, or nothing, seed ${settings.seed}`, async ({ block }) => {
      const property = fc.asyncProperty(cases, async ({ shape, steps, offset, type }) => {
        const byteStrides = steps.slice(0, shape.length);
        const { itemsize } = dtype(type);
        const isEmpty = shape.includes(0);
        const low = shape.reduce(
          (sum, n, axis) => sum + Math.min(0, (n - 1) * (byteStrides[axis] as number)),
          offset,
        );
        const high = reach({ offset, shape, byteStrides, dtype: dtype(type) });
        const borrow = () =>
          backend.asArray(exported(block.array).producer(), {
            ...{ shape, dtype: type, byteStrides, byteOffset: offset },
          });
        if (isEmpty ? offset < 0 : low < 0 || high > SIZE) {
          await refused(borrow, 'ERR_OUT_OF_BOUNDS');
          return;
        }
        using borrowed = borrow();
        const { buffer } = await backend.toTypedArray(borrowed.view(`|V${itemsize}`));
        const expected = referenceBytes(block.expected, { offset, shape, byteStrides, itemsize });
        expect(new Uint8Array(buffer)).toEqual(expected);
      });
      await fc.assert(property, settings);
    });

    test('does not leave what its producer spans, whatever lies around it', async ({ block }) => {
      const part = exported(block.array.slice([[32, 64]])).producer();
      using whole = backend.asArray(part, { shape: [8], dtype: 'int32' });
      const elements = await backend.toTypedArray(whole);
      expect(new Uint8Array(elements.buffer)).toEqual(block.expected.slice(32, 64));
      await allRefused(
        'ERR_OUT_OF_BOUNDS',
        () => backend.asArray(part, { shape: [9], dtype: 'int32' }),
        () => backend.asArray(part, { shape: [1], byteOffset: -1 }),
        () => backend.asArray(part, { shape: [1], byteOffset: 32, bounds: 'trust' }),
        () => backend.asArray(part, { shape: [2], byteStrides: [-1] }),
        () => backend.asArray(block.array.slice([[32, 64]]), { shape: [33] }),
      );
      await refused(
        () => backend.asArray(part, { byteOffset: 0, elementOffset: 0 }),
        'ERR_ARGUMENT',
      );
      await block.verify();
    });
  });
}
