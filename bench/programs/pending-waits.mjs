import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { nanoseconds } from '../runner/stopwatch.mjs';

// node pending-waits.mjs cuda|sycl: has 10,000 waits pending on queues whose work is held, and
// answers each line of input: "ready" with the number of waits, "cpu" and "latency" in nanoseconds.
const WAITS = 10_000;
const QUEUES = 16;
/** Long enough for the promise settler to reach its longest polling interval. */
const SETTLING_MS = 500;
const SECOND_MS = 1000;

const require = createRequire(import.meta.url);
const threads = () => readdirSync('/proc/self/task');

/** Nanoseconds of CPU time of the process's threads, as the scheduler counts them. */
function cpu() {
  const ofThread = (id) => readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ')[0];
  return threads().reduce((sum, id) => sum + Number(ofThread(id)), 0);
}

/** The simulator, whose streams the tests' probe holds. */
async function heldCuda() {
  const { simulatedCuda } = await import('../runner/simulated-cuda.mjs');
  const cuda = await simulatedCuda();
  const probe = require('../../packages/cuda/build/Release/test/driver_probe.node');
  const hold = ({ handle }) => {
    probe.makeCurrent(0);
    return probe.hold(handle);
  };
  return { backend: cuda, hold };
}

/** dpctl's library behind the tests' interposer, which holds back a queue's work. */
async function heldSycl() {
  const tests = '../../packages/sycl/build/Release/test';
  const interposer = require(`${tests}/interposer_probe.node`).open(
    require.resolve(`${tests}/interposer.so`),
  );
  const { sycl } = await import('@array-interface/sycl');
  const hold = (queue) => {
    const { pointer } = queue._get_capsule();
    interposer.hold(pointer);
    return () => interposer.release(pointer);
  };
  return { backend: sycl, hold };
}

/** The CPU time of the process in one second of only waiting. */
async function cpuOfASecond() {
  await pause(SETTLING_MS);
  const began = cpu();
  await pause(SECOND_MS);
  return cpu() - began;
}

/** From the end of one queue's work to its promise, beside all the others. */
async function latency({ backend, hold }, queue) {
  const release = hold(queue);
  const [to, from] = [backend.empty([16], 'uint8'), backend.empty([16], 'uint8')];
  await backend.copy(to, from, { queue });
  const wait = queue.record().synchronize();
  await pause(100 + 100 * Math.random()); // the promise settler polls rarely by now, at any moment
  const taken = await nanoseconds(() => {
    release();
    return wait;
  });
  for (const array of [to, from]) array[Symbol.dispose]();
  return taken;
}

const held = await (process.argv[2] === 'cuda' ? heldCuda() : heldSycl());
const queues = Array.from({ length: QUEUES + 1 }, () => held.backend.createQueue());
const spare = queues.pop();
await held.backend.whenKernelsReady();
await spare.record().synchronize(); // starts the promise settler's thread
const before = threads().length;
queues.forEach(held.hold);
const waits = Array.from({ length: WAITS }, (_, i) => queues[i % QUEUES].record().synchronize());
await pause(SETTLING_MS);
const more = threads().length - before;
if (more > 0) throw new Error(`expected one thread for all waits, got ${more} more`);

const ANSWERS = {
  ready: () => waits.length,
  cpu: cpuOfASecond,
  latency: () => latency(held, spare),
};
for await (const asked of createInterface({ input: process.stdin })) {
  console.log(await ANSWERS[JSON.parse(asked)]());
}
process.kill(process.pid, 'SIGKILL'); // an exit waits for held work
