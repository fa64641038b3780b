import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { host, liveAllocations } from '@array-interface/host';
import { expect, test } from 'vitest';

const program = new URL('programs/worker.mjs', import.meta.url);

function start(forever: boolean): Worker {
  return new Worker(program, { workerData: { rounds: 50, forever }, execArgv: [] });
}

test('worker threads load, use and tear down the addon, several at once', async () => {
  using kept = await host.array([1, 2, 3]);
  const before = liveAllocations();
  for (let round = 0; round < 3; round++) {
    const workers = [start(false), start(false), start(false)];
    const ends = workers.map(async (worker) => {
      const [[message], [status]] = await Promise.all([
        once(worker, 'message'),
        once(worker, 'exit'),
      ]);
      return { ...message, status };
    });
    for (const end of await Promise.all(ends)) {
      expect(end).toEqual({ code: 'ERR_POINTER_UNKNOWN', left: 50, status: 0 });
    }
  }
  expect(liveAllocations()).toBe(before);
  expect([...(await host.toTypedArray(kept))]).toEqual([1, 2, 3]);
});

test('a worker that is ended in the middle of its work', async () => {
  const before = liveAllocations();
  const worker = start(true);
  await once(worker, 'message');
  await worker.terminate();
  expect(liveAllocations()).toBe(before);
});
