import { execFileSync } from 'node:child_process';
import { randomFill } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, read, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { settle } from './settle.mjs';

// Typed arrays of arrays that are disposed while Node's thread pool reads into them: MODULE NAME KIND
// COUNT. In this thread, and in worker threads that end meanwhile, by process.exit and by terminate.
// Prints how they ended, how many other arrays were overwritten, and what is left.
const [module, name, memoryKind, count, pipe] = isMainThread ? process.argv.slice(2) : workerData;
const { [name]: backend, liveAllocations } = await import(module);
const LENGTH = 4096;
const READS = 3; // with a file of each, one thread of the pool is left
const others = [];

async function make(value) {
  const array = backend.empty([LENGTH], 'uint8', { memoryKind });
  await backend.fill(array, value);
  await array.synchronize();
  return array;
}

/** Begins reads that do not end before somebody writes into the pipe, and disposes the arrays. */
async function begin(path) {
  const file = openSync(path, 'r+');
  const arrays = [];
  for (let i = 0; i < READS + 1; i++) arrays.push(await make(2));
  const [first, ...rest] = await Promise.all(arrays.map((array) => array.asTypedArray()));
  const done = rest.map((one) => new Promise((end) => read(file, one, 0, LENGTH, null, end)));
  done.push(new Promise((end) => randomFill(first, end)));
  for (const array of arrays) array[Symbol.dispose]();
  if (first.length + rest[0].length > 0) throw new Error('expected none, got some');
  return { ended: Promise.all(done).then(() => closeSync(file)) };
}

async function makeOthers() {
  for (let i = 0; i < 2 * READS; i++) others.push(await make(1));
}

/** A worker that ends while its reads are under way. Gives its exit code. */
async function run(end, path) {
  const file = new URL(import.meta.url);
  const data = Object.assign([module, name, memoryKind, count, path], { end });
  const worker = new Worker(file, { workerData: data });
  const exit = once(worker, 'exit');
  await once(worker, 'message');
  const ended = end === 'terminate' ? worker.terminate() : null;
  await makeOthers();
  writeSync(openPipe, new Uint8Array(READS * LENGTH).fill(0xee));
  await ended;
  const [status] = await exit;
  return status;
}

let openPipe = null;
if (!isMainThread) {
  const { ended } = await begin(pipe);
  globalThis.gc?.();
  parentPort.postMessage('reading');
  if (workerData.end === 'exit') process.exit(3);
  await ended;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'array-interface-pool-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  openPipe = openSync(path, 'r+');
  const ends = [];
  for (let i = 0; i < Number(count); i++) {
    const { ended } = await begin(path);
    globalThis.gc();
    await makeOthers();
    writeSync(openPipe, new Uint8Array(READS * LENGTH).fill(0xee));
    await ended;
    for (const end of ['idle', 'exit', 'terminate']) ends.push(await run(end, path));
  }
  closeSync(openPipe);
  rmSync(folder, { recursive: true });
  let overwritten = 0;
  for (const other of others) {
    if ((await backend.toTypedArray(other)).some((byte) => byte !== 1)) overwritten++;
    other[Symbol.dispose]();
  }
  console.log(JSON.stringify({ ends, overwritten, left: await settle(liveAllocations) }));
}
