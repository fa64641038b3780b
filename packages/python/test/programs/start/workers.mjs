// Four workers call Python, and end. Prints what they got, and whether their threads' states are gone.
// ARGUMENT: `main` if the main thread starts Python, else a worker does.
import { Worker } from 'node:worker_threads';
import { startPython } from '@array-interface/python';

const venv = process.env.ARRAY_INTERFACE_TEST_PYTHON;
const SETUP = `
import threading, weakref
class Kept: pass
local = threading.local()
kept = []
def keep():
    local.kept = Kept()
    kept.append(weakref.ref(local.kept))
`;

const run = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url));
    worker.on('error', reject);
    worker.on('message', (sum) => worker.on('exit', (code) => resolve([code, sum])));
    worker.postMessage(SETUP);
  });

if (process.env.ARGUMENT === 'main') startPython({ venv }).exec(SETUP);
const ended = [await run(), ...(await Promise.all([run(), run(), run()]))];
console.log(JSON.stringify(ended));
const python = startPython();
console.log(python.eval('len(kept)'), python.eval('sum(one() is not None for one in kept)'));
console.log(python.eval('threading.main_thread().is_alive()'));
