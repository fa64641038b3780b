import { describe, expect, it } from 'vitest';
import { relativeLayout } from '../../src/descriptor/relative-layout.js';
import { broadcastTo, dtype, flip, permuteDims } from '../../src/index.js';
import { coalesceAxes } from '../../src/plan/coalesce.js';

const FLOAT32 = dtype('float32');
const dense = (...shape: number[]) => relativeLayout(shape, FLOAT32);

describe('coalesced sides', () => {
  it('are one run if both are contiguous in the same order', () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
    ]) {
      const [to, from] = [dense(2, 3, 4), dense(2, 3, 4)].map((one) => permuteDims(one, order));
      for (const side of coalesceAxes(to as never, from as never)) {
        expect([side.shape, side.byteStrides, side.pointer]).toEqual([[24], [4], 0n]);
      }
    }
  });

  it('go forward in the destination, longest step first', () => {
    const to = permuteDims(flip(dense(4, 5), 0), [1, 0]);
    const [straight, from] = coalesceAxes(to, dense(5, 4));
    expect(straight.shape).toEqual([4, 5]);
    expect(straight.byteStrides).toEqual([20, 4]);
    expect(straight.pointer).toBe(0n);
    expect(from.byteStrides).toEqual([-4, 16]);
    expect(from.pointer).toBe(12n);
  });

  it('have one shape if the source is repeated', () => {
    const [to, from] = coalesceAxes(dense(6, 5), dense(5));
    expect(from.shape).toEqual(to.shape);
    expect(from.byteStrides).toEqual([0, 4]);
    const repeated = broadcastTo(dense(1, 1), [6, 5]);
    expect(coalesceAxes(dense(6, 5), repeated)[1].byteStrides).toEqual([0]);
    expect(coalesceAxes(dense(1, 1), dense())[0].shape).toEqual([]);
  });
});
