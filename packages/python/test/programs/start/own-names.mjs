// Four workers set the same name, wait for each other, and print what each has; then the main thread's.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { python } from '../running.mjs';

if (isMainThread) {
  python.exec('import threading; barrier = threading.Barrier(4)');
  const workers = [0, 1, 2, 3].map((i) => new Worker(new URL(import.meta.url), { workerData: i }));
  const names = workers.map((worker) => new Promise((resolve) => worker.once('message', resolve)));
  console.log(JSON.stringify(await Promise.all(names)));
  console.log(python.import('__main__').has('mine'));
} else {
  python.exec(`mine = ${workerData}`);
  await python.runAsync(python.import('__main__').get('barrier').get('wait'));
  parentPort.postMessage(python.eval('(lambda: mine)()'));
}
