import { describe, expect, it } from 'vitest';
import { relativeLayout } from '../../src/descriptor/relative-layout.js';
import { dtype, flip } from '../../src/index.js';
import { chunksOf } from '../../src/plan/chunks.js';

const UINT8 = dtype('uint8');
const FLOAT32 = dtype('float32');

describe('chunks', () => {
  it('are whole rows if those are short enough', () => {
    const array = relativeLayout([5, 4], UINT8);
    const found = [...chunksOf(array, array, 9)].map(([{ pointer, shape }]) => [
      pointer,
      [...shape],
    ]);
    expect(found).toEqual([
      [0n, [2, 4]],
      [8n, [2, 4]],
      [16n, [1, 4]],
    ]);
  });

  it('cut a row that is too long', () => {
    const array = relativeLayout([2, 1, 10], FLOAT32);
    const found = [...chunksOf(array, array, 16)];
    expect(found.map(([{ nbytes }]) => nbytes)).toEqual([16, 16, 8, 16, 16, 8]);
    expect(found.map(([{ pointer }]) => pointer)).toEqual([0n, 16n, 32n, 40n, 56n, 72n]);
  });

  it('match on both sides, whatever the layouts', () => {
    const to = relativeLayout([3, 4], UINT8);
    const from = flip(relativeLayout([3, 4], FLOAT32));
    for (const [target, source] of chunksOf(to, from, 2)) {
      expect(source.shape).toEqual(target.shape);
      expect(source.pointer).toBe(from.pointer - 4n * target.pointer);
    }
  });

  it('are one if there is nothing to cut, also for longer elements', () => {
    for (const shape of [[], [1, 1], [0, 7]]) {
      const array = relativeLayout(shape, FLOAT32);
      expect([...chunksOf(array, array, 1)]).toHaveLength(1);
    }
    const array = relativeLayout([3], FLOAT32);
    expect([...chunksOf(array, array, 1)]).toHaveLength(3);
  });
});
