import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { defineKernel } from '@array-interface/core/kernel';
import { host, liveAllocations } from '@array-interface/host';

// A worker thread that ends, in one of three ways, while its kernels of C are pending: one in its own
// memory, one in memory that the main thread sees, one in that of an addon which was loaded later and ends
// first, and one that has not begun. Prints whether the second had ended when the worker had, and what was
// left.
const folder =
  process.env.ARRAY_INTERFACE_ADDON_DIR || join(import.meta.dirname, '../../build/Release');
const require = createRequire(import.meta.url);
const { addLater } = require(join(folder, 'test/test_kernels.node'));
const kernel = defineKernel({
  name: 'addLater',
  parameters: {
    elements: { write: 'float32' },
    amount: 'float32',
    gate: { read: 'int32' },
    wait: 'uint32',
  },
  code: { host: { address: addLater } },
});

/** An array in memory of an addon, which goes with it. */
function another(length) {
  const { pointer, owner } = require(join(folder, 'test/giver.node')).memory(4 * length);
  const data = [pointer, false];
  return { __array_interface__: { version: 3, shape: [length], typestr: '<f4', data }, owner };
}

async function work({ shared, how }) {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const own = host.empty([1 << 20], 'float32');
  await host.fill(own, 1);
  const queue = host.createQueue({ threads: 3 });
  const launch = (elements, range) =>
    host.launch(kernel, { range, queue }, { elements, gate, amount: 1, wait: 400 });
  const length = 1 << 20;
  const ends = [
    ...[launch(own, [own.size]), launch(shared, [shared.length])],
    launch(another(length), [length]),
  ];
  if (how !== 'end') ends.push(launch(own, [own.size]));
  own[Symbol.dispose]();
  parentPort.postMessage('launched');
  if (how === 'exit') process.exit();
  await Promise.all(ends);
}

async function main(how) {
  const before = readdirSync('/proc/self/task').length;
  const shared = new Float32Array(new SharedArrayBuffer(400));
  const worker = new Worker(new URL(import.meta.url), { workerData: { shared, how } });
  const ended = once(worker, 'exit');
  await once(worker, 'message');
  if (shared.includes(1))
    throw new Error('expected a kernel that is pending, got one that has ended');
  if (how === 'terminate') await worker.terminate();
  await ended;
  const hasEnded = shared.every((element) => element === 1);
  const left = () => readdirSync('/proc/self/task').length - before;
  for (let tries = 0; tries < 1000 && left() > 0; tries++) await setTimeout(10);
  console.log(JSON.stringify({ hasEnded, left: left(), allocations: liveAllocations() }));
}

await (isMainThread ? main(process.argv[2]) : work(workerData));
