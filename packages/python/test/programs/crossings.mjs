// Prints what so many crossings of a kind leave, after a fifth as many before them. They are done twice,
// and the lower growth counts: what leaks does so both times, and Python's own tables grow now and
// then. ARGUMENT is {"kind", "times"}. The main thread does one half and a worker the other, at the same time, and both
// collectors are forced meanwhile.
import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { liveAllocations } from '@array-interface/host';
import { KINDS, named } from './crossing.mjs';
import { python } from './running.mjs';

const { kind, times } = JSON.parse(process.env.ARGUMENT);
const cross = KINDS[kind];
const collectPython = named('gc.collect');

async function collect() {
  globalThis.gc();
  await setImmediate(); // finalizers run, and what Python dropped goes
  collectPython.call();
}

async function crossOften(times) {
  for (let i = 0; i < times / 2; i++) {
    await cross(i);
    if (i % 100 === 99) await setImmediate();
    if (i % 2000 === 1999) await collect();
  }
}

/** Live arrays of JavaScript's memory and of Python's. */
const live = () => [liveAllocations(), named('next(made) - next(ended)')];

/** Collects until Python's heap shrinks no more, and gives its blocks. */
async function settled() {
  let least = Number.POSITIVE_INFINITY;
  for (let calm = 0; calm < 10; calm++) {
    await collect();
    await setTimeout(1);
    const blocks = named('sys.getallocatedblocks()');
    if (blocks < least) calm = 0;
    least = Math.min(least, blocks);
  }
  return least;
}

async function round(times) {
  const worker = new Worker(new URL(import.meta.url), { workerData: times });
  const ended = once(worker, 'exit');
  await crossOften(times);
  await ended;
  python.exec('shared.clear()');
  return {
    blocks: await settled(),
    heap: process.memoryUsage().heapUsed,
    handles: getHeapStatistics().used_global_handles_size,
  };
}

if (isMainThread) {
  const rounds = [await round(times / 5), await round(times), await round(times)];
  const growth = Object.keys(rounds[0]).map((name) => {
    const [before, between, after] = rounds.map((one) => one[name]);
    return [name, Math.min(between - before, after - between)];
  });
  console.log(JSON.stringify({ ...Object.fromEntries(growth), live: live() }));
} else {
  await crossOften(workerData);
}
