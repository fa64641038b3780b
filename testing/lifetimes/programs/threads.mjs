import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { settle } from './settle.mjs';
import { backend, liveAllocations, words } from './subject.mjs';

// Passes arrays to worker threads by tickets: MODULE NAME. Prints what both sides saw.
const [, name] = words;

async function start() {
  const worker = new Worker(new URL('opener.mjs', import.meta.url), { workerData: { words } });
  await once(worker, 'message');
  return worker;
}

/** Runs a task in a worker. Returns its value, or throws its error. */
async function run(worker, task, value) {
  const answer = once(worker, 'message');
  worker.postMessage({ task, value });
  const [{ value: result, error }] = await answer;
  if (error !== undefined) throw error;
  return result;
}

/** The code and path of the error that is thrown. */
async function refusal(work) {
  try {
    await work();
  } catch ({ code, path }) {
    return `${code} ${path}`;
  }
}

const held = [];
const hold = (array) => {
  held.push(array);
  return array;
};
const letGo = () => {
  for (const array of held.splice(0)) array[Symbol.dispose]();
};

const seen = {};
const worker = await start();
const values = Float32Array.of(1, 2, 3, 4, 5, 6);

// The ticket alone keeps the memory.
{
  const array = await backend.array(values);
  const ticket = backend.share(array);
  array[Symbol.dispose]();
  const others = [];
  for (let i = 0; i < 8; i++) others.push(await backend.array(new Float32Array(6)));
  seen.alone = await run(worker, 'read', ticket);
  seen.twice = await refusal(() => run(worker, 'read', ticket));
  for (const other of others) other[Symbol.dispose]();
}
seen.afterwards = await settle(liveAllocations);

// Both threads work on it, in order.
{
  const array = hold(await backend.array(values));
  void backend.fill(array, 7);
  seen.pendingHere = await run(worker, 'read', backend.share(array, { threadsOnly: true }));
  await run(worker, 'fillLater', { ticket: backend.share(array), value: 8 });
  seen.pendingThere = [...(await backend.toTypedArray(array))];
  await run(worker, 'keep', backend.share(array));
  await run(worker, 'fill', { ticket: backend.share(array.slice([[0, 2]])), value: 9 });
  seen.part = [...(await backend.toTypedArray(array))];
  letGo();
}

// Views, read-only ones, and elements that have no typestr.
{
  const array = hold(await backend.array(values));
  const flipped = array.reshape([2, 3]).flip(1);
  seen.flipped = await run(worker, 'read', backend.share(flipped));
  seen.layout = await run(worker, 'describe', backend.share(flipped));
  const fixed = backend.share(array.broadcastTo([2, 6]));
  seen.readOnly = await refusal(() => run(worker, 'fill', { ticket: fixed, value: 1 }));
  const named = hold(backend.empty([2], 'bfloat16'));
  seen.named = await run(worker, 'describe', backend.share(named));
  const nothing = hold(backend.empty([0, 3], 'int16'));
  seen.nothing = await run(worker, 'describe', backend.share(nothing));
  const loan = hold(backend.asArray(array));
  seen.loan = await run(worker, 'read', backend.share(loan));
  letGo();
}

// This thread opens its own ticket, but none that has ended.
{
  const array = hold(await backend.array(values));
  const own = hold(backend.openShared(backend.share(array)));
  seen.own = [...(await backend.toTypedArray(own))];
  const ended = backend.share(array);
  ended[Symbol.dispose]();
  ended[Symbol.dispose]();
  seen.disposed = await refusal(() => run(worker, 'read', ended));
  const { thread } = ended;
  const forged = { kind: 'array-interface/thread', version: 1, backend: name, thread };
  seen.forged = await refusal(() => backend.openShared(forged));
  seen.others = await refusal(() => backend.openShared({ ...forged, backend: 'none' }));
  const gone = backend.empty([1], 'uint8');
  gone[Symbol.dispose]();
  seen.gone = await refusal(() => backend.share(gone));
  seen.option = await refusal(() => backend.share(array, { threads: true }));
  letGo();
}

// What a worker shares outlives the worker if it ends by itself.
{
  const other = await start();
  const ticket = await run(other, 'share', [1, 2]);
  other.postMessage({ task: 'end' });
  await once(other, 'exit');
  const array = hold(backend.openShared(ticket));
  seen.fromWorker = [...(await backend.toTypedArray(array))];
  letGo();
}

// If it is terminated, what nobody has opened ends with it.
{
  const other = await start();
  const [opened, left] = [await run(other, 'share', [3]), await run(other, 'share', [4])];
  const array = hold(backend.openShared(opened));
  await other.terminate();
  seen.fromTerminated = [...(await backend.toTypedArray(array))];
  seen.left = await refusal(() => backend.openShared(left));
  letGo();
}
await worker.terminate();
seen.end = await settle(liveAllocations);
console.log(JSON.stringify(seen));
