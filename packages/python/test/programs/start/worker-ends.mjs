// A worker is in Python. ARGUMENT: what ends then, the worker or the process. Node waits for the worker
// in both cases: a function that runs at the process's end has it return.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { python } from '../running.mjs';

const RUN = `
ready.set()
while not stop.is_set(): sum(range(100))
`;

if (isMainThread) {
  python.exec('import threading; ready = threading.Event(); stop = threading.Event()');
  const worker = new Worker(new URL(import.meta.url));
  worker.postMessage(0);
  await new Promise((resolve) => {
    const look = () => (python.eval('ready.is_set()') ? resolve() : setTimeout(look, 1));
    look();
  });
  if (process.env.ARGUMENT === 'process') {
    python.exec('import atexit; atexit.register(stop.set)');
    process.exit(3);
  }
  const ended = worker.terminate();
  python.exec('stop.set()');
  console.log('ended', await ended, python.eval('1 + 1'));
} else {
  await once(parentPort, 'message');
  python.exec(RUN, { globals: python.import('__main__').get('__dict__') });
}
