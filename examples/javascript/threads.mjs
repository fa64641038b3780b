import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { host } from '@array-interface/host';

// node threads.mjs: a worker thread works in the memory of the main thread.
if (isMainThread) {
  const table = (await host.arange(1, 5, { dtype: 'float32' })).reshape([2, 2]);
  const ticket = host.share(table.slice([1]), { threadsOnly: true }); // plain data; it keeps the memory
  const worker = new Worker(new URL(import.meta.url), { workerData: ticket });
  const [pointer] = await once(worker, 'message'); // says that the work has ended
  console.log(pointer === table.slice([1]).pointer); // true
  console.log(await table.toNested()); // [ [ 1, 2 ], [ 7, 7 ] ]
} else {
  const row = host.openShared(workerData);
  await host.fill(row, 7);
  parentPort.postMessage(row.pointer);
}
