// A worker ends while a run of its own goes on, which is interrupted then. Prints what it said.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { answer, globals, python } from './calls.mjs';

python.exec(
  `
def work(ready):
    try:
        caught(ready)  # or it has ended by then
        while True: pass
    except KeyboardInterrupt:
        answers.put('interrupted')
`,
  { globals },
);
if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  await once(worker, 'message');
  await worker.terminate();
  console.log(await answer());
} else {
  python.runAsync(python.eval('work', { globals }), [() => parentPort.postMessage('ready')]);
}
