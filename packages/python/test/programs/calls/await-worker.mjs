// A worker ends while a coroutine of its own goes on, which is cancelled then. Prints what it said.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { python } from '../running.mjs';

if (isMainThread) {
  python.exec(`
import asyncio, queue
ended = queue.SimpleQueue()
async def stay(ready):
    ready()
    try: await asyncio.sleep(1000)
    except asyncio.CancelledError: ended.put('cancelled')
`);
  const worker = new Worker(new URL(import.meta.url));
  await once(worker, 'message');
  await worker.terminate();
  console.log(await python.runAsync(python.eval('ended.get')));
} else {
  const stay = python.import('__main__').get('stay');
  python.await(stay.call([() => parentPort.postMessage('ready')]));
  setInterval(() => {}, 1000);
}
