import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { host } from '@array-interface/host';
import { allowThreads, refuseThreads } from './address-space.mjs';

// Copies with four threads, and prints what the process had of threads before, at most while it
// copied, and afterwards. `none`: there is no address space for the stack of another.
const threadCount = () => readdirSync('/proc/self/task').length;

/** Looks at the threads of the process as long as it runs. */
const counter = `
  const { readdirSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.postMessage('ready');
  for (;;) {
    const count = readdirSync('/proc/self/task').length;
    if (count > Atomics.load(workerData, 0)) Atomics.store(workerData, 0, count);
  }`;

const side = 4096;
const from = host.empty([side, side], 'float32');
const to = host.empty([side, side], 'float32');
const expected = host.empty([side, side], 'float32');
await host.fill(from, 1);
await host.fill(from.slice([[0, side, 3]]), 2);
await host.fill(to, 0);
await host.copy(expected, from.transpose());

const most = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(counter, { eval: true, workerData: most });
await once(worker, 'message');
const before = threadCount();
if (process.argv[2] === 'none') refuseThreads();
const rounds = process.argv[2] === 'none' ? 5 : 100;
for (let round = 0; round < rounds && most[0] < before + 3; round++) {
  await host.copy(to, from.transpose(), { threads: 4 });
}
if (process.argv[2] === 'none') allowThreads();
// The system forgets a thread a little after it was joined.
for (let tries = 0; tries < 10_000 && threadCount() > before; tries++) await setTimeout(10);
const after = threadCount();
await worker.terminate();
const [got, wanted] = [await host.toTypedArray(to), await host.toTypedArray(expected)];
const isRight = Buffer.compare(Buffer.from(got.buffer), Buffer.from(wanted.buffer)) === 0;
console.log(JSON.stringify({ before, most: most[0], after, isRight }));
