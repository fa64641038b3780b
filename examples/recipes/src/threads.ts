import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { host } from '@array-interface/host';

// Two worker threads double half of the rows each, in the memory of the main thread.
if (isMainThread) {
  using table = await host.array(
    [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ],
    { dtype: 'float32' },
  );
  const halves = [table.slice([[0, 2]]), table.slice([[2, 4]])];
  const doubled = halves.map((half) => {
    const ticket = host.share(half, { threadsOnly: true }); // plain data; it keeps the memory
    return once(new Worker(new URL(import.meta.url), { workerData: ticket }), 'message');
  });
  await Promise.all(doubled); // a message says that the work has ended
  console.log(await table.toNested()); // [ [ 2, 4 ], [ 6, 8 ], [ 10, 12 ], [ 14, 16 ] ]
} else {
  using half = host.openShared(workerData);
  const values = await half.asTypedArray({ dtype: 'float32' });
  for (const [index, value] of values.entries()) values[index] = 2 * value;
  parentPort?.postMessage('doubled');
}
