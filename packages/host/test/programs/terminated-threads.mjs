import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { host } from '@array-interface/host';

// Worker threads that copy with threads of their own, until they are ended in the middle of it;
// prints how many copies they made, whether all were right, and the threads that were left over.
const side = 1500;

/** Copies for ever, and tells whether each copy was right. */
async function copyForEver() {
  const from = Float32Array.from({ length: side * side }, (_, index) => index);
  const to = new Float32Array(side * side);
  const turned = host.asArray(from).reshape([side, side]).transpose();
  const expected = new Float32Array(side * side);
  await host.copy(host.asArray(expected).reshape([side, side]), turned);
  const [got, wanted] = [Buffer.from(to.buffer), Buffer.from(expected.buffer)];
  for (;;) {
    got.fill(255);
    await host.copy(host.asArray(to).reshape([side, side]), turned, { threads: 3 });
    parentPort.postMessage(got.equals(wanted));
  }
}

async function main() {
  const before = readdirSync('/proc/self/task').length;
  const workers = [1, 2, 3].map(() => new Worker(new URL(import.meta.url)));
  const results = [];
  for (const worker of workers) worker.on('message', (isRight) => results.push(isRight));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  await setTimeout(200);
  await Promise.all(workers.map((worker) => worker.terminate()));
  const left = () => readdirSync('/proc/self/task').length - before;
  for (let tries = 0; tries < 10_000 && left() > 0; tries++) await setTimeout(10);
  const areRight = results.every(Boolean);
  console.log(JSON.stringify({ copies: results.length, areRight, left: left() }));
}

await (isMainThread ? main() : copyForEver());
