import { beforeEach, expect, test, vi } from 'vitest';
import { compare } from '../runner/compare.mjs';

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));

const times = (list) => async () => list.shift() ?? 1;

test('the first turn is a warm-up; the others are compared one by one', async () => {
  const measured = await compare([
    {
      name: 'copy',
      yardstick: 'memcpy',
      targets: [{ against: 'memcpy', least: 0.5 }],
      contenders: async () => ({
        ours: times([1e9, 4, 4, 4]),
        memcpy: async () => 2,
        absent: null,
      }),
      derive: (turn) => ({ twice: { nanoseconds: 2 * turn.memcpy.nanoseconds } }),
    },
  ]);
  const [ours, memcpy, twice] = measured.rows;
  expect(measured.rows.map(({ who }) => who)).toEqual(['ours', 'memcpy', 'twice']);
  expect(ours.nanoseconds).toBeLessThanOrEqual(4);
  expect(memcpy).toMatchObject({ work: 'copy', nanoseconds: 2, speed: 1 });
  expect(twice).toMatchObject({ nanoseconds: 4, speed: 0.5 });
  expect(measured.targets).toHaveLength(1);
  expect(measured.notRun).toEqual([]);
});

test('a failing contender is reported, and the others are measured', async () => {
  const failing = async () => {
    throw new Error('gone');
  };
  const target = { against: 'peer', least: 1 };
  const measured = await compare([
    {
      name: 'one',
      targets: [target],
      contenders: async () => ({ ours: async () => 3, peer: failing }),
    },
    { name: 'two', targets: [target], contenders: failing },
    { name: 'three', contenders: async () => ({ ours: async () => 5 }) },
  ]);
  expect(measured.rows.map(({ work, nanoseconds }) => [work, nanoseconds])).toEqual([
    ['one', 3],
    ['three', 5],
  ]);
  expect(measured.targets.map(({ reached }) => reached)).toEqual([null, null]);
  expect(measured.notRun).toEqual(['one: peer: gone', 'two: all: gone']);
});
