import { describe, expect, it } from 'vitest';
import { ProgressTracker } from '../../../src/backend/copy/progress.js';
import { runWorkers, type Worker } from '../../../src/backend/copy/workers.js';
import { relativeLayout } from '../../../src/descriptor/relative-layout.js';
import { dtype } from '../../../src/index.js';
import type { Chunk } from '../../../src/plan/chunks.js';

function* chunks(count: number): Generator<Chunk> {
  const chunk = relativeLayout([10], dtype('uint8'));
  for (let i = 0; i < count; i++) yield [chunk, chunk];
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('workers', () => {
  it('share the chunks, one at a time each', async () => {
    const tracker = new ProgressTracker(70, undefined);
    const busy = [0, 0];
    const most = [0, 0];
    const done = [0, 0];
    const workers = [0, 1].map(
      (worker): Worker =>
        async () => {
          most[worker] = Math.max(most[worker] as number, ++(busy[worker] as number));
          await turn();
          (busy[worker] as number)--;
          (done[worker] as number)++;
        },
    );
    await runWorkers(chunks(7), workers, tracker, undefined);
    expect(tracker.isFull).toBe(true);
    expect(most).toEqual([1, 1]);
    expect([...done].sort()).toEqual([3, 4]);
  });

  it('end with the first failure, once all are idle', async () => {
    const tracker = new ProgressTracker(100, undefined);
    let running = 0;
    let calls = 0;
    const worker: Worker = async () => {
      running++;
      const nth = ++calls;
      for (let i = 0; i < nth; i++) await turn();
      running--;
      if (nth === 2) throw new Error('second');
    };
    await expect(
      runWorkers(chunks(10), [worker, worker, worker], tracker, undefined),
    ).rejects.toThrow('second');
    expect(running).toBe(0);
    expect(calls).toBeLessThan(6);
    expect(tracker.interrupted(new Error('x'), undefined)).toMatchObject({
      bytesWritten: 10 * (calls - 1),
    });
  });

  it('end with the reason of a signal, but not if everything is done', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const stopAt = (bytes: number) => (progress: { bytes: number }) => {
      if (progress.bytes === bytes) controller.abort(reason);
    };
    const half = new ProgressTracker(50, stopAt(20));
    const ended = runWorkers(chunks(5), [turn], half, controller.signal);
    await expect(ended).rejects.toBe(reason);
    expect(half.isFull).toBe(false);
    const whole = new ProgressTracker(50, stopAt(50));
    await runWorkers(chunks(5), [turn], whole, new AbortController().signal);
    expect(whole.isFull).toBe(true);
  });
});
