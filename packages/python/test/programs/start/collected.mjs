// Ends with status 7 as soon as Python knows that a collected object is gone, with no call of this thread in between.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { python } from '../running.mjs';

const BUSY = `import(process.env.RUNNING).then(({ python }) => {
  setInterval(() => python.eval('1'), 1);
  require('node:worker_threads').parentPort.postMessage('runs');
})`;

python.exec(`
import os
class Dropped:
    def __del__(self): os._exit(7)
`);
if (process.env.ARGUMENT === 'beside a worker') {
  const env = { ...process.env, RUNNING: new URL('../running.mjs', import.meta.url).href };
  await once(new Worker(BUSY, { eval: true, env }), 'message');
}
python.eval('Dropped()');
setInterval(() => globalThis.gc(), 10);
