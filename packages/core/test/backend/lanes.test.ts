import { describe, expect, it } from 'vitest';
import { inLanes, type Lane, type Pair } from '../../src/backend/lanes.js';
import { relativeLayout } from '../../src/backend/relative-layout.js';
import { Tally } from '../../src/backend/tally.js';
import { dtype } from '../../src/index.js';

function* pairs(count: number): Generator<Pair> {
  const part = relativeLayout([10], dtype('uint8'));
  for (let i = 0; i < count; i++) yield [part, part];
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('lanes', () => {
  it('share the parts, each one at a time', async () => {
    const tally = new Tally(70, undefined);
    const busy = [0, 0];
    const most = [0, 0];
    const done = [0, 0];
    const lanes = [0, 1].map(
      (lane): Lane =>
        async () => {
          most[lane] = Math.max(most[lane] as number, ++(busy[lane] as number));
          await turn();
          (busy[lane] as number)--;
          (done[lane] as number)++;
        },
    );
    await inLanes(pairs(7), lanes, tally, undefined);
    expect(tally.isFull).toBe(true);
    expect(most).toEqual([1, 1]);
    expect([...done].sort()).toEqual([3, 4]);
  });

  it('end with the first failure, once all rest', async () => {
    const tally = new Tally(100, undefined);
    let running = 0;
    let calls = 0;
    const lane: Lane = async () => {
      running++;
      const nth = ++calls;
      for (let i = 0; i < nth; i++) await turn();
      running--;
      if (nth === 2) throw new Error('second');
    };
    await expect(inLanes(pairs(10), [lane, lane, lane], tally, undefined)).rejects.toThrow(
      'second',
    );
    expect(running).toBe(0);
    expect(calls).toBeLessThan(6);
    expect(tally.interrupted(new Error('x'), undefined)).toMatchObject({
      bytesWritten: 10 * (calls - 1),
    });
  });

  it('end with the reason of a signal, but not when everything is done', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const stopAt = (bytes: number) => (progress: { bytes: number }) => {
      if (progress.bytes === bytes) controller.abort(reason);
    };
    const half = new Tally(50, stopAt(20));
    const ended = inLanes(pairs(5), [turn], half, controller.signal);
    await expect(ended).rejects.toBe(reason);
    expect(half.isFull).toBe(false);
    const whole = new Tally(50, stopAt(50));
    await inLanes(pairs(5), [turn], whole, new AbortController().signal);
    expect(whole.isFull).toBe(true);
  });
});
