import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { settle } from './settle.mjs';
import { backend, liveAllocations, words } from './subject.mjs';

// Terminates workers at random times while arrays are passed to and from them: MODULE NAME ROUNDS.
// Prints how many values were wrong, and what is left.
const [module, name, rounds] = words;
const CODE = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.module).then(({ [workerData.name]: backend }) => {
    parentPort.on('message', async (ticket) => {
      const array = backend.openShared(ticket);
      void backend.fill(array, 2);
      const made = await backend.array(Float32Array.of(3, 3, 3));
      parentPort.postMessage(backend.share(made, { threadsOnly: true }));
      for (;;) {
        void backend.copy(array, made);
        await backend.toTypedArray(array);
      }
    });
    parentPort.postMessage('ready');
  });`;
const EXPECTED = ['1', '2', '3'];
let wrong = 0;

/** `isRunning`: the worker has loaded the backend when it gets the ticket. */
async function round(isRunning, timeout) {
  const worker = new Worker(CODE, { eval: true, workerData: { module, name } });
  const exit = once(worker, 'exit');
  if (isRunning) await once(worker, 'message');
  worker.on('message', async (ticket) => {
    if (ticket === 'ready') return;
    try {
      const theirs = backend.openShared(ticket);
      if ((await backend.toTypedArray(theirs)).some((value) => value !== 3)) wrong++;
      theirs[Symbol.dispose]();
    } catch ({ code }) {
      if (code !== 'ERR_TICKET') wrong++; // its worker was terminated
    }
  });
  const array = await backend.array(Float32Array.of(1, 1, 1));
  const ticket = backend.share(array, { threadsOnly: true });
  worker.postMessage(ticket);
  await pause(timeout);
  if (timeout % 2 === 0) array[Symbol.dispose]();
  await worker.terminate();
  await exit;
  if (timeout % 2 === 1) {
    const values = new Set(await backend.toTypedArray(array));
    if (values.size !== 1 || !EXPECTED.includes(String([...values]))) wrong++;
    array[Symbol.dispose]();
  }
  ticket[Symbol.dispose]();
}

for (let i = 0; i < Number(rounds); i += 2) {
  const at = () => Math.floor(Math.random() * 30);
  await Promise.all([round(true, at()), round(false, 4 * at())]);
}
console.log(JSON.stringify({ wrong, left: await settle(liveAllocations) }));
