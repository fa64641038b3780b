import type { BackendArray } from '@array-interface/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCopy } from '../copies/random-layout.js';
import { blockOf, elementAt, elementsBy, readElements } from '../support/elements.js';
import { random } from '../support/random-cases.js';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const modulo = (value: number, length: number) => ((value % length) + length) % length;

/** Joins, repeats and shifts arrays of any layout, beside a loop over all indices. */
export function joining({ backend, runs = 100 }: Subject): void {
  const settings = random(runs / 2);
  const listed = async (array: BackendArray) => [...(await backend.toTypedArray(array))];
  const table = () =>
    backend.array(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: 'int16' },
    );

  describe('joined, repeated and shifted arrays', () => {
    test(`random layouts, seed ${settings.seed}`, async () => {
      const property = fc.asyncProperty(
        randomCopy,
        fc.nat(),
        fc.array(fc.integer({ min: -7, max: 7 }), { minLength: 5, maxLength: 5 }),
        async ({ from: layout }, seed, numbers) => {
          const { block, elements } = await blockOf(backend, layout, seed % 1000);
          using _ = block;
          const array = block.at(layout);
          const { shape } = layout;
          const rank = shape.length;
          const expectMade = async (
            made: Promise<BackendArray & Disposable>,
            expected: unknown,
          ) => {
            using result = await made;
            expect(result.dtype).toEqual(layout.dtype);
            expect(await readElements(backend, result)).toEqual(expected);
          };
          const counts = numbers.slice(0, rank).map((n) => Math.abs(n) % 3);
          const tiled = elementsBy(
            shape.map((length, axis) => length * (counts[axis] as number)),
            (place) =>
              elementAt(
                elements,
                place.map((i, axis) => i % (shape[axis] as number)),
              ),
          );
          await expectMade(backend.tile(array, counts), tiled);
          const total = numbers[0] as number;
          const size = elements.all.length;
          const turned = elements.all.map(
            (_, i) => elements.all[modulo(i - total, size)] as string,
          );
          await expectMade(backend.roll(array, total), { shape, all: turned });
          await expectMade(backend.repeat(array, counts[0] ?? 2), {
            shape: [size * (counts[0] ?? 2)],
            all: elements.all.flatMap((one) => Array(counts[0] ?? 2).fill(one)),
          });
          await expectMade(backend.concat([array, array], { axis: null }), {
            shape: [2 * size],
            all: [...elements.all, ...elements.all],
          });
          if (rank === 0) return;
          const axis = modulo(seed, rank);
          const length = shape[axis] as number;
          const moved = (place: readonly number[], to: number) => place.with(axis, to);
          await expectMade(
            backend.roll(array, total, { axis: axis - rank }),
            elementsBy(shape, (place) =>
              elementAt(elements, moved(place, modulo((place[axis] as number) - total, length))),
            ),
          );
          const all = [...shape.keys()];
          await expectMade(
            backend.roll(array, numbers.slice(0, rank), { axis: all }),
            elementsBy(shape, (place) =>
              elementAt(
                elements,
                place.map((i, one) => modulo(i - (numbers[one] as number), shape[one] as number)),
              ),
            ),
          );
          const each = Array.from({ length }, (_, i) => Math.abs(numbers[i % 5] as number) % 3);
          const from = each.flatMap((count, i) => Array<number>(count).fill(i));
          await expectMade(
            backend.repeat(array, each, { axis }),
            elementsBy(shape.with(axis, from.length), (place) =>
              elementAt(elements, moved(place, from[place[axis] as number] as number)),
            ),
          );
          await expectMade(
            backend.repeat(array, 2, { axis }),
            elementsBy(shape.with(axis, 2 * length), (place) =>
              elementAt(elements, moved(place, Math.floor((place[axis] as number) / 2))),
            ),
          );
          await expectMade(
            backend.concat([array, array], { axis }),
            elementsBy(shape.with(axis, 2 * length), (place) =>
              elementAt(elements, moved(place, (place[axis] as number) % length)),
            ),
          );
          await expectMade(
            backend.stack([array, array], { axis }),
            elementsBy(shape.toSpliced(axis, 0, 2), (place) =>
              elementAt(elements, place.toSpliced(axis, 1)),
            ),
          );
        },
      );
      await fc.assert(property, settings);
    });

    test('the dtype holds the values of all arrays', async () => {
      using left = await backend.array([1, 2], { dtype: 'int8' });
      using right = await backend.array([200], { dtype: 'uint8' });
      using joined = await backend.concat([left, right]);
      expect(joined.dtype.typestr).toBe('<i2');
      expect(await listed(joined)).toEqual([1, 2, 200]);
      using floats = await backend.concat([left, right], { dtype: '>f4' });
      expect(floats.dtype.typestr).toBe('>f4');
      expect(await listed(floats)).toEqual([1, 2, 200]);
      using mixed = await backend.stack([new Float32Array([1.5, 2.5]), [3, 4], left]);
      expect(mixed.dtype.typestr).toBe('<f8');
      expect(await listed(mixed)).toEqual([1.5, 2.5, 3, 4, 1, 2]);
      await refused(
        () => backend.concat([left, new Float32Array([1])], { dtype: 'int8' }),
        'ERR_CASTING',
      );
      using cut = await backend.concat([left, new Float32Array([1.6])], {
        dtype: 'int8',
        casting: 'unsafe',
      });
      expect(await listed(cut)).toEqual([1, 2, 1]);
    });

    test('lists and JavaScript memory are read before the call returns', async () => {
      const source = Int16Array.of(1, 2, 3);
      const made = [
        backend.concat([source, source]),
        backend.tile(source, [2]),
        backend.roll(source, 1),
      ];
      source.fill(9);
      const results = await Promise.all(made);
      expect(await Promise.all(results.map(listed))).toEqual([
        [1, 2, 3, 1, 2, 3],
        [1, 2, 3, 1, 2, 3],
        [3, 1, 2],
      ]);
      for (const one of results) one[Symbol.dispose]();
    });

    test('each is of the time of its call, whatever follows', async () => {
      using source = await table();
      const made = [
        backend.concat([source, source], { axis: 1 }),
        backend.stack([source.transpose()]),
        backend.tile(source, [1, 2]),
        backend.repeat(source.transpose(), 1),
        backend.roll(source.transpose(), 1),
      ];
      void backend.fill(source, 0);
      const results = await Promise.all(made);
      expect(await Promise.all(results.map(listed))).toEqual([
        [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6],
        [1, 4, 2, 5, 3, 6],
        [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6],
        [1, 4, 2, 5, 3, 6],
        [6, 1, 4, 2, 5, 3],
      ]);
      for (const one of results) one[Symbol.dispose]();
    });

    test('a source may be disposed of once the call has returned', async () => {
      const source = await table();
      const joined = backend.concat([source, source.flip()]);
      const rolled = backend.roll(source.transpose(), 2);
      source[Symbol.dispose]();
      using both = await joined;
      using turned = await rolled;
      expect(await listed(both)).toEqual([1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1]);
      expect(await listed(turned)).toEqual([3, 6, 1, 4, 2, 5]);
    });

    test('many axes are shifted', async () => {
      const shape = new Array<number>(7).fill(2);
      using source = await backend.array(
        Uint8Array.from({ length: 128 }, (_, i) => i),
        { shape },
      );
      using rolled = await backend.roll(source, 1, { axis: [...shape.keys()] });
      expect(await listed(rolled)).toEqual(Array.from({ length: 128 }, (_, i) => 127 - i));
    });

    test('each element is repeated as often as a list says, in long and in short runs', async () => {
      using source = await table();
      const counts = [200, 0, 1];
      const rows = [
        [1, 2, 3],
        [4, 5, 6],
      ];
      using long = await backend.repeat(source, counts, { axis: 1 });
      expect(long.shape).toEqual([2, 201]);
      expect(await listed(long)).toEqual(
        rows.flatMap((row) => [...new Array(200).fill(row[0]), row[2]]),
      );
      using flat = await backend.repeat(source.transpose(), [0, 0, 400, 0, 1, 0]);
      expect(await listed(flat)).toEqual([...new Array(400).fill(2), 3]);
      using all = await backend.repeat(source, [2], { axis: 1 });
      expect(await listed(all)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
      using list = await backend.repeat([7, 8], [100, 100]);
      expect(list.shape).toEqual([200]);
      await refused(() => backend.repeat(source, [2 ** 50, 1], { axis: 0 }), 'ERR_OUT_OF_MEMORY');
      await allRefused(
        'ERR_OVERFLOW',
        () => backend.repeat(source, [2 ** 53 - 1, 9], { axis: 0 }),
        () => backend.repeat(source, 2 ** 53 - 1),
        () => backend.tile(source, [2 ** 53 - 1]),
      );
    });

    test('lists are cast as arrays are', async () => {
      using bytes = await backend.array([1], { dtype: 'uint8' });
      const options = { dtype: 'uint8', casting: 'unsafe' } as const;
      using joined = await backend.concat([bytes, [1.5, -1, 300]], options);
      expect(await listed(joined)).toEqual([1, 1, 0, 255]);
      using stacked = await backend.stack([bytes, [2.5]], options);
      expect(await listed(stacked)).toEqual([1, 2]);
      await refused(() => backend.concat([bytes, [1.5]], { dtype: 'uint8' }), 'ERR_TYPE');
    });

    test('64 axes are joined, repeated and shifted, and 65 refused', async () => {
      const shape = new Array<number>(63).fill(1).concat(2);
      using source = await backend.array([1, 2], { dtype: 'uint8', shape });
      using joined = await backend.concat([source, source], { axis: -1 });
      using tiled = await backend.tile(source, new Array(64).fill(1).with(3, 2));
      using rolled = await backend.roll(source, 1, { axis: 63 });
      expect([joined.ndim, tiled.ndim, rolled.ndim]).toEqual([64, 64, 64]);
      expect(await listed(joined)).toEqual([1, 2, 1, 2]);
      expect(await listed(tiled)).toEqual([1, 2, 1, 2]);
      expect(await listed(rolled)).toEqual([2, 1]);
      await refused(() => backend.stack([source]), 'ERR_RANK_MISMATCH');
      await refused(() => backend.tile(source, new Array(65).fill(1)), 'ERR_RANK_MISMATCH');
    });

    test('unstack gives views', async () => {
      using source = await table();
      const rows = backend.unstack(source);
      const columns = backend.unstack(source, { axis: -1 });
      expect(rows.map(({ shape }) => shape)).toEqual([[3], [3]]);
      expect(columns[1]?.memory).toBe(source.memory);
      expect(await listed(columns[1] as BackendArray)).toEqual([2, 5]);
      await refused(() => backend.unstack(source, { axis: 2 }), 'ERR_ARGUMENT');
      await refused(() => backend.unstack(new Uint8Array(2) as never), 'ERR_ARGUMENT');
      await refused(() => backend.unstack(null as never), 'ERR_ARGUMENT');
      const long = source.slice([0, [0, 1]]).broadcastTo([2 ** 40]);
      await refused(() => backend.unstack(long), 'ERR_OUT_OF_MEMORY');
    });

    test('strange layouts of the result are possible', async () => {
      using source = await table();
      using rolled = await backend.roll(source.transpose(), 1, { byteStrides: [16, 4] });
      using tiled = await backend.tile(source, [1, 2], { byteStrides: [64, 4] });
      expect([rolled.byteStrides, tiled.byteStrides]).toEqual([
        [16, 4],
        [64, 4],
      ]);
      expect(await listed(rolled)).toEqual([6, 1, 4, 2, 5, 3]);
      expect(await listed(tiled)).toEqual([1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]);
    });

    test('what does not fit is refused', async () => {
      using source = await table();
      await allRefused(
        'ERR_SHAPE_MISMATCH',
        () => backend.concat([source, source.transpose()]),
        () => backend.concat([source, new Int16Array(3)]),
        () => backend.stack([source, source.transpose()]),
        () => backend.repeat(source, [1, 2, 3], { axis: 0 }),
      );
      await allRefused(
        'ERR_ARGUMENT',
        () => backend.concat([]),
        () => backend.stack([]),
        () => backend.concat(source as never),
        () => backend.concat([source], { axis: 2 }),
        () => backend.stack([source], { axis: 3 }),
        () => backend.roll(source, 1, { axis: -3 }),
        () => backend.roll(source, [1, 2], { axis: [0] }),
      );
      await allRefused(
        ['ERR_TYPE', 'ERR_NEGATIVE_DIMENSION'],
        () => backend.roll(source, 0.5),
        () => backend.tile(source, [-1]),
        () => backend.tile(source, 2 as never),
        () => backend.repeat(source, -1),
        () => backend.repeat(source, [1.5], { axis: 0 }),
      );
      await refused(() => backend.concat([{} as never]), 'ERR_NO_INTERFACE');
    });
  });
}
