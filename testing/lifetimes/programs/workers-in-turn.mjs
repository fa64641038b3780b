import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { settle } from './settle.mjs';

// Starts workers, two at a time, that load the backend, use it and end: MODULE NAME COUNT. Prints how
// many ended without an error, and what is left.
const [module, name, count] = process.argv.slice(2);
let started = 0;
let well = 0;

async function inTurn() {
  while (started < Number(count)) {
    const end = started++ % 3 === 0 ? 'idle' : 'itself';
    const file = new URL('worker.mjs', import.meta.url);
    const worker = new Worker(file, { workerData: { words: [module, name], rounds: 2, end } });
    const [status] = await once(worker, 'exit');
    if (status === 0) well++;
  }
}

await Promise.all([inTurn(), inTurn()]);
const { liveAllocations, [name]: backend } = await import(module);
backend.empty([1], 'uint8')[Symbol.dispose]();
console.log(JSON.stringify({ well, left: await settle(liveAllocations) }));
