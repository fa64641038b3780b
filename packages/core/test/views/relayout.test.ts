import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  flip,
  fromArrayInterface,
  fromProducer,
  dtype as readDType,
  reshape,
  slice,
} from '../../src/index.js';
import { type LayoutOptions, relayout } from '../../src/views/relayout.js';
import { expectRefusal } from '../support/refusal.js';

const bytes = (count: number) => fromProducer(Uint8Array.from({ length: count }, (_, i) => i));

/** The offsets of all bytes that a layout touches, found element by element. */
function touched(
  [first, ...rest]: readonly number[],
  [stride, ...strides]: readonly number[],
  itemsize: number,
  at: number,
): number[] {
  if (first === undefined) return Array.from({ length: itemsize }, (_, byte) => at + byte);
  return Array.from({ length: first }, (_, index) =>
    touched(rest, strides, itemsize, at + index * (stride as number)),
  ).flat();
}

describe('relayout', () => {
  it('returns the array itself if no layout is asked for', () => {
    const array = bytes(4);
    expect(relayout(array, {})).toBe(array);
  });

  const stride = fc.integer({ min: -40, max: 40 });
  const layouts = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 4 }), stride), { maxLength: 4 })
    .chain((axes) =>
      fc.record({
        shape: fc.constant(axes.map(([length]) => length)),
        steps: fc.constant(axes.map(([, step]) => step)),
        offset: fc.integer({ min: -10, max: 110 }),
        dtype: fc.constantFrom('uint8', 'int16', 'float32', 'complex128', '|V3'),
        isBytes: fc.boolean(),
      }),
    );
  const settings = random(500);
  it(`takes exactly the layouts whose elements lie within the source, seed ${settings.seed}`, () => {
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(layouts, ({ shape, steps, offset, dtype, isBytes }) => {
        const source = slice(bytes(120), [[10, 110]]);
        const { itemsize } = readDType(dtype);
        const unit = isBytes ? 1 : itemsize;
        const options: LayoutOptions = isBytes
          ? { shape, dtype, byteStrides: steps, byteOffset: offset }
          : { shape, dtype, elementStrides: steps, elementOffset: offset };
        const byteStrides = steps.map((step) => step * unit);
        const all = touched(shape, byteStrides, itemsize, offset * unit);
        const first = offset * unit;
        if (all.length === 0 && (first < 0 || first > 100)) return;
        if (all.some((byte) => byte < 0 || byte >= 100)) {
          refused++;
          const path = isBytes ? 'byteOffset' : 'elementOffset';
          expectRefusal(() => relayout(source, options), 'ERR_OUT_OF_BOUNDS', path);
          return;
        }
        taken++;
        const view = relayout(source, options);
        expect(view).toMatchObject({ shape, byteStrides, buffer: source.buffer });
        if (all.length > 0) expect(view.pointer).toBe(BigInt(10 + offset * unit));
      }),
      settings,
    );
    expect(taken).toBeGreaterThan(settings.numRuns / 20);
    expect(refused).toBeGreaterThan(settings.numRuns / 20);
  });

  it("stays within a part of a buffer, which is a typed array's own bytes", () => {
    const part = fromProducer(new Uint8Array(new ArrayBuffer(64), 16, 16));
    expect(relayout(part, { shape: [4], dtype: 'float32' }).pointer).toBe(16n);
    for (const options of [
      { shape: [5], dtype: 'float32' },
      { shape: [4], dtype: 'float32', byteOffset: 1 },
      { shape: [1], byteOffset: -1 },
      { shape: [1], byteOffset: 16 },
      { shape: [2], byteStrides: [-1] },
    ] as const satisfies readonly LayoutOptions[]) {
      expectRefusal(() => relayout(part, options), 'ERR_OUT_OF_BOUNDS');
    }
  });

  it('counts from the element with all-zero indices', () => {
    const reversed = flip(bytes(10));
    const again = relayout(reversed, { shape: [10], byteStrides: [1], byteOffset: -9 });
    expect(again).toMatchObject({ pointer: 0n, byteStrides: [1] });
    expectRefusal(
      () => relayout(reversed, { shape: [2], byteStrides: [1] }),
      'ERR_OUT_OF_BOUNDS',
      'shape',
    );
  });

  it('finds the shape that is left out', () => {
    const source = bytes(24);
    expect(relayout(source, { dtype: 'float32' }).shape).toEqual([6]);
    expect(relayout(source, { dtype: 'float32', byteOffset: 5 * 4 }).shape).toEqual([1]);
    expect(relayout(source, { byteOffset: 24 }).shape).toEqual([0]);
    expect(relayout(source, { dtype: 'int16', elementOffset: 3 }).shape).toEqual([9]);
    const pairs = reshape(source, [12, 2]);
    expect(relayout(pairs, { byteStrides: [1, 12] }).shape).toEqual([12, 2]);
    expectRefusal(() => relayout(source, { byteOffset: 25 }), 'ERR_OUT_OF_BOUNDS', 'byteOffset');
    expectRefusal(() => relayout(source, { byteOffset: -1 }), 'ERR_OUT_OF_BOUNDS', 'byteOffset');
    expectRefusal(
      () => relayout(source, { dtype: 'float32', byteOffset: 2 }),
      'ERR_NOT_A_VIEW',
      'dtype',
    );
    expectRefusal(() => relayout(pairs, { byteOffset: 2 }), 'ERR_ARGUMENT', 'shape');
    expectRefusal(
      () => relayout(source, { dtype: 'float32', byteStrides: [4] }),
      'ERR_ARGUMENT',
      'shape',
    );
  });

  it('asks for strides where the order of the source is not that of its bytes', () => {
    const columns = slice(reshape(bytes(24), [4, 6]), [null, [0, 3]]);
    expectRefusal(() => relayout(columns, { shape: [12] }), 'ERR_NOT_A_VIEW', 'byteStrides');
    expectRefusal(() => relayout(flip(bytes(3)), { byteOffset: 1 }), 'ERR_NOT_A_VIEW');
    const padded = relayout(columns, { shape: [4, 2], byteStrides: [6, 1], byteOffset: 1 });
    expect(padded).toMatchObject({ pointer: 1n, shape: [4, 2] });
    expect(relayout(columns, { dtype: 'int8' }).byteStrides).toEqual([6, 1]);
  });

  it('keeps the flag, and drops a base that no whole element leads to', () => {
    const source = relayout(bytes(8), { shape: [2, 4] });
    expect(source.readOnly).toBe(false);
    const frozen = fromProducer(new Uint8Array(8), { readOnly: true });
    expect(relayout(frozen, { shape: [2, 4] }).readOnly).toBe(true);
  });

  it('refuses both of a pair, masks, and numbers that do not fit', () => {
    const source = bytes(8);
    expectRefusal(
      () => relayout(source, { shape: [1], byteStrides: [1], elementStrides: [1] }),
      'ERR_ARGUMENT',
      'elementStrides',
    );
    expectRefusal(
      () => relayout(source, { byteOffset: 0, elementOffset: 0 }),
      'ERR_ARGUMENT',
      'elementOffset',
    );
    const [far, huge] = [Number.MAX_SAFE_INTEGER, (2n ** 70n) as never];
    for (const [options, path] of [
      [{ dtype: 'float32', elementOffset: far }, 'elementOffset'],
      [{ byteOffset: huge }, 'byteOffset'],
      [{ shape: [2], dtype: 'float32', elementStrides: [far] }, 'elementStrides[0]'],
      [{ shape: [far, 3], byteStrides: [0, 0] }, 'shape'],
      [{ shape: [3, 3], byteStrides: [far, -far] }, 'byteStrides'],
    ] as const) {
      expectRefusal(() => relayout(source, options), 'ERR_OVERFLOW', path);
    }
    const apart = { shape: [2], byteStrides: [8 - far], byteOffset: far };
    expectRefusal(() => relayout(source, apart), 'ERR_OUT_OF_BOUNDS', 'byteOffset');
    expectRefusal(() => relayout(source, { shape: [2], byteStrides: [1, 1] }), 'ERR_RANK_MISMATCH');
    expectRefusal(() => relayout(source, { shape: [-1] }), 'ERR_NEGATIVE_DIMENSION', 'shape[0]');
    const masked = fromArrayInterface({
      ...{ version: 3, shape: [8], typestr: '|u1', data: new ArrayBuffer(8) },
      mask: {
        __array_interface__: { version: 3, shape: [8], typestr: '|b1', data: new ArrayBuffer(8) },
      },
    });
    expectRefusal(() => relayout(masked, { shape: [2, 4] }), 'ERR_MASK', 'mask');
  });
});
