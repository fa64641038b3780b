// Borrows arrays of Python's in a worker, and leaves one behind.
import { parentPort, workerData } from 'node:worker_threads';
import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

const python = startPython({ venv: workerData.venv });
const globals = python.import('__main__').get('__dict__');
let sum = 0;
for (let i = 0; i < 1000; i++) {
  const object = python.eval(`np.full(3, ${workerData.value}.)`, { globals });
  const array = host.asArray(object);
  object[Symbol.dispose]();
  for (const value of await host.toTypedArray(array)) sum += value;
  array[Symbol.dispose]();
}
globalThis.left = host.asArray(python.eval('leave()', { globals }));
parentPort.postMessage(sum);
