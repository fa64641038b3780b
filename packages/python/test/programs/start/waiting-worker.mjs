// A worker waits in Python for a function of the main thread's, whose promise never settles.
// ARGUMENT: what ends then, the worker or the process. Node waits for the worker in both cases.
import { isMainThread, Worker } from 'node:worker_threads';
import { python } from '../running.mjs';

if (isMainThread) {
  const called = new Promise((resolve) => {
    python.import('__main__').set('never', () => {
      resolve();
      return new Promise(() => {});
    });
  });
  const worker = new Worker(new URL(import.meta.url));
  await called;
  if (process.env.ARGUMENT === 'process') process.exit(3);
  console.log('ended', await worker.terminate(), python.eval('1 + 1'));
} else {
  python.import('__main__').get('never').call();
}
