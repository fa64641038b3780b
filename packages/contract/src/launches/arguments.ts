import type { ErrorCode } from '@array-interface/core';
import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import { describe, expect } from 'vitest';
import { shift, turn } from '../kernels/kernels.js';
import { withFixtures } from '../support/fixtures.js';
import { refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';

/** Numbers of the arrays: vectors of four, and no whole groups. */
const LENGTH = 100;
const GRID = { range: [LENGTH / 4] };

const SHIFT = {
  id: 200,
  by: [0.5, -1.25, 2 ** 20, -0],
  scale: -(2n ** 63n),
  parts: [
    [1, -2, 3],
    [-32768, 32767, 0],
  ],
  step: { first: -7, second: 2 ** 31 - 1 },
};

/** What the code sees of the struct, of the bool and of the length. */
const SEEN = [200, SHIFT.scale, 1, -2, 3, -32768, 32767, 0, -7, 2 ** 31 - 1].map(BigInt);

/**
 * Arguments of every kind, as C's code gets them: structs by value, halves, bools, vectors, lengths
 * and local memory. For backends whose code the contract has.
 */
export function argumentsOfLaunches({ backend, kernels }: BackendSubject): void {
  if (kernels !== undefined || !Object.hasOwn(shift.code, backend.name)) return;
  const numbers = Float32Array.from({ length: LENGTH }, (_, i) => i * 1.5 - 20);
  const test = withFixtures(backend, {
    source: () => backend.array(numbers),
    target: () => backend.array(new Float32Array(LENGTH)),
    seen: () => backend.array(new BigInt64Array(12)),
  });
  const right = { shift: SHIFT, factor: -0.1, negates: true };
  const half = -0.0999755859375; // the half nearest to -0.1
  const moved = (value: number, i: number, factor: number) =>
    Math.fround(Math.fround(value + (SHIFT.by[i % 4] as number)) * factor);

  describe('arguments of launches', () => {
    test('are structs, halves, bools, vectors and lengths', async ({ source, target, seen }) => {
      for (const [negates, factor, used] of [
        [true, -0.1, half],
        [false, 65520, Number.POSITIVE_INFINITY],
        [false, 2 ** -25, 0],
      ] as const) {
        await backend.launch(shift, GRID, { ...right, source, target, seen, factor, negates });
        const expected = numbers.map((value, i) => moved(value, i, used) * (negates ? -1 : 1));
        expect(await backend.toTypedArray(target)).toEqual(expected);
        expect([...((await backend.toTypedArray(seen)) as BigInt64Array)]).toEqual([
          ...[...SEEN, BigInt(negates), BigInt(LENGTH)],
        ]);
      }
    });

    test('are read once, before the launch returns', async ({ source, target, seen }) => {
      const given = structuredClone(SHIFT);
      const values = { ...right, source, target, seen, shift: given };
      const launched = backend.launch(shift, GRID, values);
      given.id = 0;
      given.by.fill(0);
      given.step.second = 0;
      await launched;
      expect(await backend.toTypedArray(target)).toEqual(
        numbers.map((value, i) => -moved(value, i, half)),
      );
      expect(((await backend.toTypedArray(seen)) as BigInt64Array).slice(0, 10)).toEqual(
        BigInt64Array.from(SEEN),
      );
    });

    test('are lengths along an axis, too', async ({ source, target, seen }) => {
      const size = { size: 'source', axis: 1, type: 'int32' } as const;
      const kernel = defineKernel({ ...shift, parameters: { ...shift.parameters, size } } as never);
      const values = { ...right, source: source.reshape([5, LENGTH / 5]), target, seen };
      await backend.launch(kernel, GRID, values as never);
      const first = numbers.map((value, i) => (i < LENGTH / 5 ? -moved(value, i, half) : 0));
      if (backend.name !== 'host') expect(await backend.toTypedArray(target)).toEqual(first);
      expect(((await backend.toTypedArray(seen)) as BigInt64Array)[11]).toBe(BigInt(LENGTH / 5));
      const flat = { ...values, source };
      expect(
        await refused(() => backend.launch(kernel, GRID, flat as never), 'ERR_ARGUMENT'),
      ).toMatchObject({
        path: 'size',
        reason: 'expected an array with an axis 1, got one of 1 axes',
      });
    });

    const wrong: readonly (readonly [
      what: string,
      code: ErrorCode,
      path: string,
      values: object,
    ])[] = [
      ['no object for a struct', 'ERR_TYPE', 'shift', { shift: 3 }],
      ['a list for a struct', 'ERR_TYPE', 'shift', { shift: [] }],
      [
        'a field that is missing',
        'ERR_ARGUMENT',
        'shift.step',
        { shift: { ...SHIFT, step: undefined } },
      ],
      [
        'a field that the struct lacks',
        'ERR_ARGUMENT',
        'shift.more',
        { shift: { ...SHIFT, more: 1 } },
      ],
      ['padding as a field', 'ERR_ARGUMENT', 'shift.', { shift: { ...SHIFT, '': 1 } }],
      [
        'a number that a field cannot hold',
        'ERR_OVERFLOW',
        'shift.id',
        { shift: { ...SHIFT, id: 256 } },
      ],
      ['too few lanes', 'ERR_ARGUMENT', 'shift.by', { shift: { ...SHIFT, by: [1, 2, 3] } }],
      [
        'rows of other lengths',
        'ERR_ARGUMENT',
        'shift.parts[1]',
        {
          shift: {
            ...SHIFT,
            parts: [
              [1, 2, 3],
              [4, 5, 6, 7],
            ],
          },
        },
      ],
      [
        'a fraction far inside',
        'ERR_TYPE',
        'shift.step.second',
        { shift: { ...SHIFT, step: { first: 1, second: 0.5 } } },
      ],
      ['a number for a bool', 'ERR_TYPE', 'negates', { negates: 1 }],
      ['a bigint for a half', 'ERR_TYPE', 'factor', { factor: 1n }],
      ['a length that the array has', 'ERR_ARGUMENT', 'size', { size: LENGTH }],
    ];

    test.for(wrong)('are not %s', async ([_, code, path, values], { source, target, seen }) => {
      const given = { ...right, source, target, seen, ...values };
      const error = await refused(() => backend.launch(shift, GRID, given as never), code);
      expect(error.path, error.message).toBe(path);
      expect(await backend.toTypedArray(target)).toEqual(new Float32Array(LENGTH));
      expect(await backend.toTypedArray(seen)).toEqual(new BigInt64Array(12));
    });

    test('are as aligned as vectors, also if they are written', async ({
      source,
      target,
      seen,
    }) => {
      for (const values of [
        { source: source.slice([[1, LENGTH]]) },
        { target: target.slice([[1, LENGTH]]) },
      ]) {
        const given = { ...right, source, target, seen, ...values };
        const error = await refused(() => backend.launch(shift, GRID, given), 'ERR_NOT_ACCESSIBLE');
        expect([error.path]).toEqual(Object.keys(values));
      }
      expect(await backend.toTypedArray(seen)).toEqual(new BigInt64Array(12));
    });

    test('are local memory for the group that the code requires', async ({ source, target }) => {
      const length = 96;
      const [from, to] = [source, target].map((one) => one.slice([[0, length]]));
      const values = { source: from, target: to, room: 8 } as never;
      const expected = numbers.map((_, i) =>
        i < length ? (numbers[i - (i % 8) + 7 - (i % 8)] as number) : 0,
      );
      for (const grid of [{ range: [length] }, { range: [1, length], group: [1, 8] }]) {
        await backend.fill(target, 0);
        await backend.launch(turn, grid, values);
        expect(await backend.toTypedArray(target)).toEqual(expected);
      }
      const { group: _, ...silent } = turn;
      const kernels: readonly Kernel[] = [turn, defineKernel(silent)] as never;
      for (const kernel of backend.name === 'host' ? [turn] : kernels) {
        const grid = { range: [length], group: [16] };
        const error = await refused(
          () => backend.launch(kernel as never, grid, values),
          'ERR_ARGUMENT',
        );
        expect([error.path, error.reason]).toEqual([
          'group',
          "expected groups of [8], which the code of 'turn' requires, got [16]; pass that group, or leave group out",
        ]);
      }
      expect(await backend.toTypedArray(target)).toEqual(expected);
    });

    // The host has no groups and no memory of its own for them.
    test.skipIf(backend.name === 'host')(
      'are no more local memory than a group has',
      async ({ source, target }) => {
        const [from, to] = [source, target].map((one) => one.slice([[0, 96]]));
        const launched = (room: number) =>
          backend.launch(turn, { range: [96] }, { source: from, target: to, room } as never);
        for (const room of [2 ** 22, 2 ** 30 - 1]) {
          const error = await refused(() => launched(room), 'ERR_ARGUMENT');
          expect([error.path, error.reason]).toEqual([
            'room',
            expect.stringMatching(
              /^expected at most \d+ bytes of local memory for a group of 'turn' on this device, got \d+; ask for less, with a smaller group$/,
            ),
          ]);
          const [most] = /\d+/.exec(error.reason) as unknown as [string];
          await refused(() => launched(Number(most) / 4 + 1), 'ERR_ARGUMENT');
          await launched(8);
        }
        expect(((await backend.toTypedArray(target)) as Float32Array)[0]).toBe(numbers[7]);
      },
    );
  });
}
