import { execFileSync } from 'node:child_process';
import { randomFill } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, read as readFile, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { ended } from './ended.mjs';
import { settle } from './settle.mjs';
import { backend, liveAllocations, words } from './subject.mjs';

// Disposes arrays while Node's thread pool reads into their typed arrays: MODULE NAME KIND COUNT. Does
// so in this thread, and in worker threads that end meanwhile, by process.exit and by terminate.
// Prints how they ended, how many other arrays were overwritten, and what is left.
const [, , memoryKind, count] = words;
const LENGTH = 4096;
const READS = 3; // with a file of each, one thread of the pool is left
const others = [];

async function make(value) {
  const array = backend.empty([LENGTH], 'uint8', { memoryKind });
  await backend.fill(array, value);
  await array.synchronize();
  return array;
}

/** Begins reads that do not end until something is written to the pipe, and disposes the arrays. */
async function begin(path) {
  const file = openSync(path, 'r+');
  const arrays = [];
  for (let i = 0; i < READS + 1; i++) arrays.push(await make(2));
  const [first, ...rest] = await Promise.all(arrays.map((array) => array.asTypedArray()));
  const done = rest.map((one) => new Promise((end) => readFile(file, one, 0, LENGTH, null, end)));
  done.push(new Promise((end) => randomFill(first, end)));
  for (const array of arrays) array[Symbol.dispose]();
  if (first.length + rest[0].length > 0) throw new Error('expected none, got some');
  return { read: Promise.all(done).then(() => closeSync(file)) };
}

if (!isMainThread) {
  const { read } = await begin(workerData.path);
  globalThis.gc?.();
  parentPort.postMessage('reading');
  if (workerData.end === 'exit') process.exit(3);
  await read;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'array-interface-pool-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, 'r+');
  /** Makes arrays that may get the memory that was disposed, and lets the reads end. */
  const endReads = async () => {
    for (let i = 0; i < 2 * READS; i++) others.push(await make(1));
    writeSync(pipe, new Uint8Array(READS * LENGTH).fill(0xee));
  };
  const file = new URL(import.meta.url);
  const ends = [];
  for (let i = 0; i < Number(count); i++) {
    const { read } = await begin(path);
    globalThis.gc();
    await endReads();
    await read;
    for (const end of ['idle', 'exit', 'busy']) {
      ends.push(await ended(file, { words, end, path }, endReads));
    }
  }
  closeSync(pipe);
  rmSync(folder, { recursive: true });
  let overwritten = 0;
  for (const other of others) {
    if ((await backend.toTypedArray(other)).some((byte) => byte !== 1)) overwritten++;
    other[Symbol.dispose]();
  }
  console.log(JSON.stringify({ ends, overwritten, left: await settle(liveAllocations) }));
}
